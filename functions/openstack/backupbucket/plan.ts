import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { checkContainer, createOpenContainer } from '../provider/swift/open-container.ts'
import { type ContainerAction, plannedDeletion } from '../provider/swift/planned-deletion.ts'

export interface ContainerPlan {
  readonly actions: readonly ContainerAction[]
}

/**
 * Returns the changes that the next step of the function would make in Swift, from the same reads and checks. Reads
 * only. Throws the errors that the step would throw before its first change.
 */
export const planBackupBucket = (
  input: CloudPlanInput<BackupBucket, OpenStackConnection>,
): Promise<ContainerPlan> => withErrorCodes(planOf(input))

const planOf = async ({
  object,
  secret,
  signal,
  destroy = false,
  ...options
}: CloudPlanInput<BackupBucket, OpenStackConnection>): Promise<ContainerPlan> => {
  const { name } = object.metadata
  if (!destroy) checkContainer('metadata.name', name, secret)
  const step = { secret, signal, throwIfExpired: refuseWrites }
  const container = createOpenContainer(options)(name, object.spec.region, step)
  if (destroy) return { actions: await plannedDeletion(container, '') }
  if (await container.exists()) return { actions: [] }
  return { actions: [{ kind: 'create', sentence: `create container ${name}` }] }
}
