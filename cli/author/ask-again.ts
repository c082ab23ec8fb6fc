import { type Clock, formatMicroseconds } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { hasStatus, type Kubernetes, type KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'
import { markOf } from '../../shared/secondary/secondary.ts'
import type { DescribedFunction } from './description.ts'

/**
 * Requests every object of a function again, as gardenlet does: by the annotation, which ends a backoff and a wait. A
 * pending operation is requested again. Objects that have migrated or are to wait are skipped. Returns the number of
 * requests.
 */
export const askAgain = async (
  fn: Pick<DescribedFunction, 'name' | 'kind' | 'types' | 'classes' | 'secondary'>,
  kubernetes: Pick<Kubernetes, 'list' | 'patch'>,
  clock: Clock,
): Promise<number> => {
  const { name: of, kind, types, classes, secondary } = fn
  const { resource } = kinds[kind]
  const { items } = await kubernetes.list(resource)
  let asked = 0
  for (const object of items) {
    const { provider, extensionClass, requested, lastOperation } = factsOf(object)
    if (!types.includes(provider) || !classes.some(name => name === extensionClass)) continue
    const isAway = lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded'
    if (requested === 'wait-for-state' || (isAway && requested === undefined)) continue
    if (await ask(object, requested ?? 'reconcile')) asked++
  }
  return asked

  async function ask({ metadata }: KubernetesObject, operation: string): Promise<boolean> {
    const { name, namespace, uid } = metadata
    // A secondary function gets no requests: without its record, the object is new to it.
    const asking =
      secondary === undefined
        ? { [annotations.operation]: operation, [annotations.timestamp]: formatMicroseconds(clock.now()) }
        : { [markOf(of)]: null }
    const key = { name, ...(namespace !== undefined && { namespace }) }
    try {
      await kubernetes.patch(resource, key, { metadata: { uid, annotations: asking } })
      return true
    } catch (error) {
      // The object was deleted or has changed.
      if (hasStatus(error, 404, 409)) return false
      throw error
    }
  }
}
