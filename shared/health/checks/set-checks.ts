import { recordOf } from '../../decode/record-of.ts'
import { daemonSets, statefulSets } from '../../kubernetes/core-resources.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { type CheckPlace, openPlace, readsIn } from './check-place.ts'
import { outdatedText } from './deployment-check.ts'

/**
 * Checks a StatefulSet: its status is of its generation, and all replicas are ready (`CheckStatefulSet` of gardener
 * v1.147, `pkg/utils/kubernetes/health`). The function needs `get` for `statefulsets.apps`, or access to the shoot.
 *
 * @example
 * const check = statefulSetCheck('acme-cache')
 */
export const statefulSetCheck = (name: string, place: CheckPlace = {}): HealthCheck =>
  setCheck('statefulset', statefulSets, name, place, ({ spec, status }) => {
    const { replicas = 1 } = recordOf(spec)
    const ready = numberIn(status, 'readyReplicas')
    return ready < Number(replicas) ? `not enough ready replicas (${ready}/${replicas})` : undefined
  })

/**
 * Checks a DaemonSet: its status is of its generation, and each node that needs a pod has one that is available. During
 * a rollout, as many as `maxUnavailable` may be unavailable (`CheckDaemonSet` of gardener v1.147). The function needs
 * `get` for `daemonsets.apps`, or access to the shoot.
 *
 * @example
 * const check = daemonSetCheck('acme-agent', { in: 'shoot' })
 */
export const daemonSetCheck = (name: string, place: CheckPlace = {}): HealthCheck =>
  setCheck('daemonset', daemonSets, name, place, daemonSet => {
    const count = (field: string) => numberIn(daemonSet.status, field)
    const desired = count('desiredNumberScheduled')
    const current = count('currentNumberScheduled')
    const unavailable = count('numberUnavailable')
    if (current < desired) return `not enough scheduled pods (${current}/${desired})`
    if (count('numberMisscheduled') > 0) return `misscheduled pods found (${count('numberMisscheduled')})`
    const isRollingOut = count('updatedNumberScheduled') < desired
    const most = isRollingOut ? mostUnavailable(daemonSet, desired) : 0
    if (unavailable <= most) return undefined
    const limit = isRollingOut ? `, at most ${most} during a rollout` : ''
    return `too many unavailable pods found (${unavailable}/${current}${limit})`
  })

const setCheck = (
  kind: string,
  resource: GroupVersionResource,
  name: string,
  place: CheckPlace,
  problemOf: (object: KubernetesObject) => string | undefined,
): HealthCheck => ({
  name,
  reads: readsIn(place, { resource, name }),
  run: async context => {
    const opened = await openPlace(context, place)
    const found = await opened.get(resource, name)
    const text = `${kind} ${JSON.stringify(name)} ${opened.place}`
    if (found === undefined) return unsuccessful(`${text} not found`)
    const problem = outdatedText(found) ?? problemOf(found)
    return problem === undefined ? successful : unsuccessful(`${text} is unhealthy: ${problem}`)
  },
})

const numberIn = (status: unknown, field: string): number => Number(recordOf(status)[field] ?? 0)

/** Percentages are rounded down. Without a rolling update: 0. */
const mostUnavailable = ({ spec }: KubernetesObject, desired: number): number => {
  const { type = 'RollingUpdate', rollingUpdate } = recordOf(recordOf(spec).updateStrategy)
  if (type !== 'RollingUpdate') return 0
  const { maxUnavailable = 1 } = recordOf(rollingUpdate)
  const text = String(maxUnavailable)
  const most = text.endsWith('%') ? Math.floor((Number.parseFloat(text) * desired) / 100) : Number(text)
  return Number.isFinite(most) ? most : 0
}
