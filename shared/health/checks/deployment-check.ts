import { healthyStatus } from '../../contract/health.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'

export interface DeploymentCheckOptions {
  /** Absent or 0 replicas are fine: the component is off. Absent: it has to be there. */
  readonly onlyIfOn?: boolean
}

/** Whether a Deployment of the object's namespace is healthy (docs/contract/health.md#deployments). */
export const deploymentCheck = (
  name: string,
  { onlyIfOn = false }: DeploymentCheckOptions = {},
): HealthCheck => ({
  name,
  run: async ({ deployment: read, namespace }) => {
    const deployment = await read(name)
    if (onlyIfOn && (deployment === undefined || isOff(deployment))) return successful
    const problem = deploymentProblem(deployment)
    return problem === undefined
      ? successful
      : unsuccessful(
          `deployment ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)} ${problem}`,
        )
  },
})

/** It is there, and runs nothing. */
export const isOff = ({ spec }: KubernetesObject): boolean => Object(spec).replicas === 0

/** What is wrong with a Deployment, to go on with after its name; undefined: it is healthy. */
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

/** `observed generation outdated (0/1)`; undefined: what is told is about the present generation. */
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

/** `status.conditions` by type, as far as it can be read. */
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
