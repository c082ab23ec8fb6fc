import { backupEntryFlow, backupEntryPermissions } from '../../../shared/backup-entry/backup-entry.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { type Actuator, done, type StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  connectionOf,
  type OpenStackConnection,
  recordedProject,
  requireProject,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { SwiftContainer } from '../provider/swift/container.ts'
import {
  checkContainer,
  createOpenContainer,
  type SwiftOptions,
  swiftService,
} from '../provider/swift/open-container.ts'
import { removeObjects } from '../provider/swift/remove-objects.ts'

/** BackupEntries of type `openstack`: the Secret for the etcd backups of one shoot. A deletion also deletes its objects. */
export const definition = defineFunction({
  name: 'openstack-backupentry',
  kind: 'BackupEntry',
  type: 'openstack',
  classes: ['shoot', 'seed', 'garden'],
  permissions: [
    ...backupEntryPermissions,
    {
      resource: kinds.BackupBucket.resource,
      verbs: ['get'],
      why: 'Its state contains the project of the container. In another one, an absent container proves nothing.',
    },
  ],
  service: swiftService(3),
  create: (_, deps: FunctionDeps<OpenStackConnection>) =>
    containerEntryActuator({ connection: connectionOf(deps), clock: deps.clock }),
})

/**
 * Reconciles BackupEntries of type `openstack` (docs/contract/kinds.md#backupentry). A migrate changes nothing. If the
 * container is gone, so are the objects.
 */
const containerEntryActuator = (options: SwiftOptions): Actuator<BackupEntry> => {
  const open = createOpenContainer(options)
  return {
    check: ({ object, secret }) => checkContainer('spec.bucketName', object.spec.bucketName, secret),
    ...backupEntryFlow({
      addedData: ({ object }) => ({ region: object.spec.region }),
      removeObjects: async (step, prefix) => {
        const { bucketName, region } = step.object.spec
        const container = open(bucketName, region, step)
        await withErrorCodes(requireProjectOfBucket(container, step))
        return (await withErrorCodes(removeObjects(container, prefix, step))) ?? done()
      },
    }),
  }
}

/** The BackupBucket is absent where the container belongs to another seed. */
const requireProjectOfBucket = async (
  container: Pick<SwiftContainer, 'projectId'>,
  { object, kubernetes, secret }: StepContext<BackupEntry>,
): Promise<void> => {
  const { bucketName } = object.spec
  const bucket = await kubernetes.get(kinds.BackupBucket.resource, { name: bucketName })
  const recorded = recordedProject(bucket)
  if (recorded !== undefined)
    await requireProject(container, { what: `container ${bucketName}`, recorded, secret })
}
