import { type Lookup, readShootPath, type WebhookDefinition, webhookPath } from '../../admission/admission.ts'

/** What a lookup asks; it ends with the review. */
export interface OpenedLookup {
  readonly lookup: Lookup
  readonly close: () => void
}

/** Opens what a review may look at, in time: `signal` aborts when the API server has given the review up. */
export type OpenLookup = (
  definition: WebhookDefinition,
  shoot: string | undefined,
  signal: AbortSignal,
) => OpenedLookup

/** The function that answers at a path, and which shoot asks there: the namespace of its control plane. */
export interface ReviewRoute {
  readonly definition: WebhookDefinition
  readonly shoot: string | undefined
}

/**
 * Finds the webhook of a path: `/aws/controlplane` and a proof; in a shoot also the shoot (`shootPath`). Undefined: there is none.
 *
 * @param pathKeys the current keys for the proofs of shoots, by component
 * @param accepts returns true if the API server of the cluster may ask at this path
 */
export const createRouter = (
  definitions: readonly WebhookDefinition[],
  pathKeys: (component: string) => readonly Uint8Array[],
  accepts: (definition: WebhookDefinition, path: string) => boolean,
): ((path: string) => ReviewRoute | undefined) => {
  const byPath = new Map(definitions.map(definition => [webhookPath(definition), definition]))
  return path => {
    const [, component, name, ...rest] = path.split('/')
    const definition = byPath.get(`/${component}/${name}`)
    if (definition === undefined) return undefined
    if (definition.target !== 'shoot')
      return accepts(definition, path) ? { definition, shoot: undefined } : undefined
    const shoot = readShootPath(pathKeys(definition.component), rest.join('/'))
    return shoot === undefined ? undefined : { definition, shoot }
  }
}
