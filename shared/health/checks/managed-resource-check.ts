import { healthyStatus } from '../../contract/health.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { shortened } from '../aggregate.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { outdatedText, conditionsOf as statusConditionsOf } from './deployment-check.ts'

/** Longest message of a resource manager, in characters. */
const longestText = 1_000

/**
 * Checks if the objects of a ManagedResource are applied and healthy (docs/contract/health.md#managedresources). The
 * function needs `get` for `managedresources.resources.gardener.cloud`, and `list` if the name depends on the object.
 *
 * @example
 * const conditions = [{ type: 'SystemComponentsHealthy', checks: [managedResourceCheck('extension-acme')] }]
 */
export const managedResourceCheck = <O extends KubernetesObject>(
  nameOf: string | ((object: O) => string),
): HealthCheck => ({
  name: typeof nameOf === 'string' ? nameOf : 'managed resource',
  reads: [{ resource: managedResourceKind.resource, ...(typeof nameOf === 'string' && { name: nameOf }) }],
  run: async ({ object, kubernetes, namespace, signal }) => {
    const name = typeof nameOf === 'string' ? nameOf : nameOf(object as O)
    const found = await kubernetes.get(managedResourceKind.resource, { namespace, name }, { signal })
    const id = `Managed Resource ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`
    if (found === undefined) return unsuccessful(`${id} not found`)
    const outdated = outdatedText(found)
    if (outdated !== undefined) return unsuccessful(`${id} is unhealthy: ${outdated}`)
    const conditions = statusConditionsOf(found)
    for (const type of ['ResourcesApplied', 'ResourcesHealthy']) {
      const condition = conditions.get(type)
      if (condition === undefined) return unsuccessful(`${id} is unhealthy: condition "${type}" is missing`)
      const { status, reason = '', message = '' } = condition
      if (status !== healthyStatus[type])
        return unsuccessful(
          `${id} is unhealthy: condition "${type}" has invalid status ${status} (expected True) due to ${reason}: ${shortened(message, longestText)}`,
        )
    }
    return successful
  },
})
