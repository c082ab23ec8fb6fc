import { healthyStatus } from '../../contract/health.ts'
import { deployments } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { type CheckPlace, openPlace, readsIn } from './check-place.ts'

/** Options of `deploymentCheck`. */
export interface DeploymentCheckOptions extends CheckPlace {
  /** Accepts a missing Deployment or 0 replicas: the component is off. Default: it must exist. */
  readonly onlyIfOn?: boolean
}

/**
 * Checks a Deployment (docs/contract/health.md#deployments). The function needs `get` for `deployments.apps`, or access
 * to the shoot.
 *
 * @example
 * const conditions = [{ type: 'ControlPlaneHealthy', checks: [deploymentCheck('cloud-controller-manager')] }]
 */
export const deploymentCheck = (name: string, options: DeploymentCheckOptions = {}): HealthCheck => ({
  name,
  reads: readsIn(options, { resource: deployments, name }),
  run: async context => {
    const { onlyIfOn = false } = options
    const opened = await openPlace(context, options)
    const deployment = await (options.in === 'shoot'
      ? opened.get(deployments, name)
      : context.deployment(name))
    if (onlyIfOn && (deployment === undefined || isOff(deployment))) return successful
    const problem = deploymentProblem(deployment)
    return problem === undefined
      ? successful
      : unsuccessful(`deployment ${JSON.stringify(name)} ${opened.place} ${problem}`)
  },
})

/** Returns true if the Deployment exists with 0 replicas. */
export const isOff = ({ spec }: KubernetesObject): boolean => Object(spec).replicas === 0

/** Returns the problem of a Deployment as the end of a sentence after its name. Undefined: it is healthy. */
export const deploymentProblem = (deployment: KubernetesObject | undefined): string | undefined => {
  if (deployment === undefined) return 'not found'
  const outdated = outdatedText(deployment)
  if (outdated !== undefined) return `is unhealthy: ${outdated}`
  const conditions = conditionsOf(deployment)
  for (const type of ['Available', 'Progressing', 'ReplicaFailure']) {
    const condition = conditions.get(type)
    if (condition === undefined && type === 'Available')
      return 'is unhealthy: condition "Available" is missing'
    if (condition !== undefined && condition.status !== healthyStatus[type]) {
      const { status, reason = '', message = '' } = condition
      return `is unhealthy: condition "${type}" has invalid status ${status} (expected ${healthyStatus[type]}) due to ${reason}: ${message}`
    }
  }
  return undefined
}

/** Returns `observed generation outdated (0/1)`, or undefined if the status is of the current generation. */
export const outdatedText = ({ metadata, status }: KubernetesObject): string | undefined => {
  const observed = Number(Object(status).observedGeneration ?? 0)
  const { generation = 0 } = metadata
  return observed >= generation ? undefined : `observed generation outdated (${observed}/${generation})`
}

interface StatusCondition {
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** Returns the readable `status.conditions` by type. */
export const conditionsOf = ({ status }: KubernetesObject): ReadonlyMap<string, StatusCondition> => {
  const { conditions } = Object(status) as { readonly conditions?: unknown }
  const entries: readonly unknown[] = Array.isArray(conditions) ? conditions : []
  return new Map(
    entries.map(entry => {
      const { type, ...condition } = Object(entry) as StatusCondition & { readonly type?: unknown }
      return [String(type), condition]
    }),
  )
}
