import { type Kubernetes, permittedKubernetes } from '../../../kubernetes/kubernetes.ts'
import type { Lookup, WebhookDefinition } from '../../admission/admission.ts'
import type { OpenLookup } from '../serve/answer-requests.ts'

/** The API server of an open shoot. */
export interface ShootLookup {
  readonly kubernetes: Lookup
  readonly close: () => void
}

/** Connects to a shoot's API server, by the namespace of its control plane. */
export type ReachShoot = (namespace: string, signal: AbortSignal) => Promise<ShootLookup>

/**
 * The lookups of reviews: the target cluster and, for `shoot`, the shoot's API server, which is connected at the first
 * lookup. Allows only the definition's permissions, and no writes.
 */
export const createLookups =
  (kubernetes: Lookup, openShoot: ReachShoot): OpenLookup =>
  (definition, shoot, signal) => {
    if (shoot === undefined)
      return { lookup: permitted(definition, within(kubernetes, signal)), close: () => {} }
    let opening: ReturnType<ReachShoot> | undefined
    const opened = () => {
      opening ??= openShoot(shoot, signal)
      return opening
    }
    const inShoot: Lookup = {
      get: async (...of) => within((await opened()).kubernetes, signal).get(...of),
      list: async (...of) => within((await opened()).kubernetes, signal).list(...of),
    }
    return {
      lookup: permitted(definition, inShoot),
      close: () => {
        opening?.then(({ close }) => close()).catch(() => undefined)
      },
    }
  }

/** Ends with the review. */
const within = (lookup: Lookup, signal: AbortSignal): Lookup => ({
  get: (resource, key) => lookup.get(resource, key, { signal }),
  list: (resource, options) => lookup.list(resource, { ...options, signal }),
})

const permitted = ({ permissions }: WebhookDefinition, lookup: Lookup): Lookup => {
  const { get, list } = permittedKubernetes({ ...readOnly, ...lookup }, permissions)
  return { get, list }
}

const refuse = (): never => {
  throw new Error('an admission function can only read')
}

const readOnly: Omit<Kubernetes, 'get' | 'list'> = {
  watch: refuse,
  create: refuse,
  replace: refuse,
  patch: refuse,
  apply: refuse,
  delete: refuse,
}
