import { recordOf } from '../../../shared/decode/record-of.ts'

/** The attributes of an event that are known; all others may have any value. */
export type KnownAttributes = Readonly<Record<string, string>>

/**
 * Evaluates the filter of a Trigger as Knative does: `filters` (all must pass) overrides `filter`. Returns undefined if
 * it depends on an unknown attribute or on an expression in another language.
 */
export const passes = (spec: unknown, attributes: KnownAttributes): boolean | undefined => {
  const { filter, filters } = recordOf(spec)
  if (Array.isArray(filters) && filters.length > 0) return all(filters.map(each => matches(each, attributes)))
  return compare(recordOf(filter).attributes, attributes, (value, wanted) =>
    wanted === '' ? value !== '' : value === wanted,
  )
}

const matches = (expression: unknown, attributes: KnownAttributes): boolean | undefined => {
  const [[dialect, value] = []] = Object.entries(recordOf(expression))
  const parts = () => (Array.isArray(value) ? value.map(part => matches(part, attributes)) : [])
  switch (dialect) {
    case 'exact':
      return compare(value, attributes, (actual, wanted) => actual === wanted)
    case 'prefix':
      return compare(value, attributes, (actual, wanted) => actual.startsWith(wanted))
    case 'suffix':
      return compare(value, attributes, (actual, wanted) => actual.endsWith(wanted))
    case 'all':
      return all(parts())
    case 'any':
      return negated(all(parts().map(negated)))
    case 'not':
      return negated(matches(value, attributes))
    default:
      return undefined
  }
}

const compare = (
  wanted: unknown,
  attributes: KnownAttributes,
  matchesText: (actual: string, wanted: string) => boolean,
): boolean | undefined =>
  all(
    Object.entries(recordOf(wanted)).map(([name, text]) => {
      const actual = attributes[name]
      return actual === undefined ? undefined : matchesText(actual, String(text))
    }),
  )

const all = (results: readonly (boolean | undefined)[]): boolean | undefined =>
  results.includes(false) ? false : results.includes(undefined) ? undefined : true

const negated = (result: boolean | undefined): boolean | undefined =>
  result === undefined ? undefined : !result
