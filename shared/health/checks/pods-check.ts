import { recordOf } from '../../decode/record-of.ts'
import { pods } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { type CheckPlace, openPlace, readsIn } from './check-place.ts'
import { conditionsOf } from './deployment-check.ts'

/** Options of `podsCheck`. */
export interface PodsCheckOptions extends CheckPlace {
  /** The least number of pods. Default: 1. */
  readonly atLeast?: number
}

/** Maximum number of pods that are listed by name. */
const mostListed = 5

/**
 * Checks the pods with some labels: enough exist, and each is ready or has succeeded. The function needs `list` for
 * `pods`, or access to the shoot.
 *
 * @example
 * const check = podsCheck('app=acme-agent', { atLeast: 2 })
 */
export const podsCheck = (labelSelector: string, options: PodsCheckOptions = {}): HealthCheck => ({
  name: `pods ${labelSelector}`,
  reads: readsIn(options, { resource: pods, labelSelector }),
  run: async context => {
    const { atLeast = 1 } = options
    const opened = await openPlace(context, options)
    const present = (await opened.list(pods, labelSelector)).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    )
    const text = `pods with labels ${JSON.stringify(labelSelector)} ${opened.place}`
    if (present.length < atLeast) return unsuccessful(`not enough ${text} (${present.length}/${atLeast})`)
    const unready = present.filter(isUnready).map(({ metadata }) => metadata.name)
    if (unready.length === 0) return successful
    const names = unready.toSorted().slice(0, mostListed).join(', ')
    const more = unready.length > mostListed ? ` and ${unready.length - mostListed} more` : ''
    return unsuccessful(`${text} are not ready: ${names}${more}`)
  },
})

const isUnready = (pod: KubernetesObject): boolean =>
  recordOf(pod.status).phase !== 'Succeeded' && conditionsOf(pod).get('Ready')?.status !== 'True'
