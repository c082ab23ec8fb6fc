import { formatSeconds, type Timestamp } from '../../clock/clock.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { WrittenKubernetes } from '../../lifecycle/lifecycle.ts'
import { listManagedResources } from '../observe.ts'

/**
 * Simulates the resource manager for the plan of a namespace: everything is applied and healthy, deleted objects are
 * gone.
 */
export const completeManagedResources = async (
  server: WrittenKubernetes,
  namespace: string,
  now: Timestamp,
): Promise<void> => {
  const { resource } = managedResourceKind
  const times = { lastTransitionTime: formatSeconds(now), lastUpdateTime: formatSeconds(now) }
  for (const { metadata, ...fields } of (await listManagedResources(server, namespace)).values()) {
    const isDeleted = metadata.deletionTimestamp !== undefined
    const condition = (type: string, status: string) => ({ type, status, reason: '', message: '', ...times })
    const status = {
      observedGeneration: metadata.generation,
      conditions: [
        condition('ResourcesApplied', 'True'),
        condition('ResourcesHealthy', 'True'),
        condition('ResourcesProgressing', 'False'),
      ],
    }
    server.put(resource, metadata, isDeleted ? undefined : { ...fields, metadata, status })
  }
}
