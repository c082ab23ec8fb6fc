/**
 * Events of a secondary function have a route in place of `spec.type` in their attribute `provider`, so that no Trigger
 * of a primary function selects them. Triggers, `TRELLIS_SERVED` and programs of a seed process list routes as types.
 */
const prefix = 'secondary:'

/** A secondary function, and the `spec.type` of its objects. */
export interface SecondaryRoute {
  /** The name of the function. */
  readonly name: string
  readonly type: string
}

/** Returns `secondary:acme-audit:acme`. */
export const routeOf = ({ name, type }: SecondaryRoute): string => `${prefix}${name}:${type}`

/** Reads a route. Returns undefined for any other text, such as a `spec.type`. */
export const parseRoute = (text: string): SecondaryRoute | undefined => {
  if (!text.startsWith(prefix)) return undefined
  const rest = text.slice(prefix.length)
  const end = rest.indexOf(':')
  return end <= 0 ? undefined : { name: rest.slice(0, end), type: rest.slice(end + 1) }
}

/** Returns the values of `provider` in the events of a function: its types, or the routes of a secondary one. */
export const routedTypes = (definition: {
  readonly name: string
  readonly types: readonly string[]
  readonly secondary?: object | undefined
}): readonly string[] =>
  definition.secondary === undefined
    ? definition.types
    : definition.types.map(type => routeOf({ name: definition.name, type }))
