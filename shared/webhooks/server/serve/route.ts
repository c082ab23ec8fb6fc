import { type Lookup, readShootPath, type WebhookDefinition, webhookPath } from '../../admission/admission.ts'

/** A lookup that is closed with the review. */
export interface OpenedLookup {
  readonly lookup: Lookup
  readonly close: () => void
}

/** Opens the lookup of a review in time: `signal` aborts when the API server no longer waits. */
export type OpenLookup = (
  definition: WebhookDefinition,
  shoot: string | undefined,
  signal: AbortSignal,
) => OpenedLookup

/** The function for a path, and the calling shoot: the namespace of its control plane. */
export interface ReviewRoute {
  readonly definition: WebhookDefinition
  readonly shoot: string | undefined
}

/**
 * Finds the webhook of a path: `/aws/controlplane` and a proof. The path of a shoot also names the shoot (`shootPath`).
 * Undefined if there is no webhook.
 *
 * @param pathKeys the current keys for the proofs of shoots, by component
 * @param accepts returns true if the API server of the cluster may use this path
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
