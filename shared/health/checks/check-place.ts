import type { HealthDependency } from '../../contract/health.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { CheckContext } from '../health-check.ts'

/** The place of the objects that a check reads. */
export interface CheckPlace {
  /**
   * `seed`: the namespace of the checked object. `shoot`: a namespace of the shoot, which the bridge does not watch, so
   * a change shows in the next round. Default: `seed`.
   */
  readonly in?: 'seed' | 'shoot'
  /** Namespace in the shoot. Default: `kube-system`. */
  readonly namespace?: string
}

/** Returns the reads of a check in its place: none in the shoot. */
export const readsIn = (
  place: CheckPlace,
  ...reads: readonly HealthDependency[]
): readonly HealthDependency[] => (place.in === 'shoot' ? [] : reads)

/** Returns where a check reads, and the end of a sentence that says so. */
export const openPlace = async (
  context: CheckContext,
  { in: where = 'seed', namespace = 'kube-system' }: CheckPlace,
): Promise<PlacedReads> => {
  const isShoot = where === 'shoot'
  const kubernetes = isShoot ? await context.shoot() : context.kubernetes
  const of = isShoot ? namespace : context.namespace
  const { signal } = context
  return {
    get: (resource, name) => kubernetes.get(resource, { namespace: of, name }, { signal }),
    list: async (resource, labelSelector) =>
      (await kubernetes.list(resource, { namespace: of, labelSelector, signal })).items,
    place: `in namespace ${JSON.stringify(of)}${isShoot ? ' of the shoot' : ''}`,
  }
}

interface PlacedReads {
  readonly get: (resource: GroupVersionResource, name: string) => Promise<KubernetesObject | undefined>
  readonly list: (
    resource: GroupVersionResource,
    labelSelector: string,
  ) => Promise<readonly KubernetesObject[]>
  readonly place: string
}
