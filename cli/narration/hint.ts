import type { Sentence } from '../../sandbox/narration/sentence.ts'
import type { SeedEvent } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'

const kindOf: ReadonlyMap<string, KindName> = new Map(
  kindNames.map(kind => [`${kinds[kind].plural}.${kinds[kind].resource.group}`, kind]),
)

/**
 * Returns hints for users where a seed, by Gardener's contract, silently does nothing: a spec that is changed without a
 * reconcile request, and a refused deletion. Each once.
 */
export const createHints = (): ((event: SeedEvent) => Sentence | undefined) => {
  const shown = new Map<string, number>()
  return event => {
    switch (event.part) {
      case 'object': {
        const kind = kindOf.get(event.resource)
        if (kind === undefined) return undefined
        const { uid = '', generation = 0 } = event.object.metadata
        if (event.deleted) shown.delete(uid)
        else if (shown.get(uid) !== generation && isUnasked(kind, event.object)) {
          shown.set(uid, generation)
          const { singular } = kinds[kind]
          return hint(
            `the spec of ${singular} ${nameOf(event.object)} changed. A reconciliation starts only on request. Request one, as gardenlet does: ${annotate(kind, event.object.metadata, `${annotations.operation}=reconcile`)}`,
          )
        }
        return undefined
      }
      case 'request': {
        const { verb, status, resource = '', path } = event.request
        const kind = kindOf.get(resource)
        if (verb !== 'delete' || status !== 403 || kind === undefined) return undefined
        // /apis/<group>/<version>[/namespaces/<namespace>]/<plural>/<name>
        const segments = (path.split('?')[0] ?? '').split('/')
        const at = segments.indexOf('namespaces')
        const name = segments.at(-1) ?? ''
        const metadata = { name, ...(at > 0 && { namespace: segments[at + 1] ?? '' }) }
        return hint(
          `a deletion must be confirmed first: ${annotate(kind, metadata, `${annotations.deletionConfirmation}=true`)}`,
        )
      }
      default:
        return undefined
    }
  }
}

const hint = (text: string): Sentence => ({ part: 'hint', text, tone: 'hint' })

/** Returns true if its spec differs from the reconciled one without a request to reconcile it. */
const isUnasked = (kind: KindName, object: KubernetesObject): boolean => {
  const { generation, deletionTimestamp } = object.metadata
  const { observedGeneration } = (object.status ?? {}) as { readonly observedGeneration?: number }
  return (
    deletionTimestamp === undefined &&
    observedGeneration !== undefined &&
    generation !== observedGeneration &&
    dueWork(kind, object, systemClock.now()).kind === 'none'
  )
}

const nameOf = ({ metadata: { namespace, name } }: KubernetesObject): string =>
  namespace === undefined ? name : `${namespace}/${name}`

const annotate = (
  kind: KindName,
  { namespace, name }: Pick<KubernetesObject['metadata'], 'namespace' | 'name'>,
  annotation: string,
): string =>
  `kubectl${namespace === undefined ? '' : ` -n ${namespace}`} annotate ${kinds[kind].singular} ${name} ${annotation}`
