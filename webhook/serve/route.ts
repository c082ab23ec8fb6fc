import { type Lookup, type WebhookDefinition, webhookPath } from '../../shared/admission/admission.ts'

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
export interface Route {
  readonly definition: WebhookDefinition
  readonly shoot: string | undefined
}

/** RFC 1123, as a namespace is named. */
const isNamespace = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)

/** `/aws/controlplane`, `/aws/shoot-service/shoot--foo--bar`; undefined: nobody answers there. */
export const createRouter = (
  definitions: readonly WebhookDefinition[],
): ((path: string) => Route | undefined) => {
  const byPath = new Map(definitions.map(definition => [webhookPath(definition), definition]))
  return path => {
    const [, component, name, shoot, ...rest] = path.split('/')
    const definition = byPath.get(`/${component}/${name}`)
    if (definition === undefined || rest.length > 0) return undefined
    if (definition.target !== 'shoot') return shoot === undefined ? { definition, shoot } : undefined
    return shoot !== undefined && isNamespace(shoot) ? { definition, shoot } : undefined
  }
}
