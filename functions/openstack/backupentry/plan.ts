import { parseEntryName } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { checkContainer, createOpenContainer } from '../provider/swift/open-container.ts'
import { type ContainerAction, plannedDeletion } from '../provider/swift/planned-deletion.ts'

export interface ContainerEntryPlan {
  /** Empty for a reconcile: an entry creates only a Secret in the seed. */
  readonly actions: readonly ContainerAction[]
}

/**
 * Returns the changes that the next step of the function would make in Swift. Reads only. Throws the errors that the
 * step would throw.
 */
export const planBackupEntry = async ({
  object: { metadata, spec },
  secret,
  signal,
  destroy = false,
  ...options
}: CloudPlanInput<BackupEntry, OpenStackConnection>): Promise<ContainerEntryPlan> => {
  if (!destroy) {
    checkContainer('spec.bucketName', spec.bucketName, secret)
    return { actions: [] }
  }
  const step = { secret, signal, throwIfExpired: refuseWrites }
  const container = createOpenContainer(options)(spec.bucketName, spec.region, step)
  return {
    actions: await withErrorCodes(plannedDeletion(container, parseEntryName(metadata.name).prefix)),
  }
}
