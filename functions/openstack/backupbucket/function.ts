import type { BackupBucket } from '../../../shared/contract/objects.ts'
import {
  type Actuator,
  continueSoon,
  done,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  connectionOf,
  type OpenStackConnection,
  projectKey,
  recordedProject,
  requireProject,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { SwiftContainer } from '../provider/swift/container.ts'
import {
  checkContainer,
  createOpenContainer,
  type OpenContainer,
  type SwiftOptions,
  swiftService,
} from '../provider/swift/open-container.ts'
import { hasBegun, removeObjects } from '../provider/swift/remove-objects.ts'

/** BackupBuckets of type `openstack`: the Swift containers for the backups of a seed. */
export const definition = defineFunction({
  name: 'openstack-backupbucket',
  kind: 'BackupBucket',
  type: 'openstack',
  classes: ['shoot', 'seed', 'garden'],
  permissions: [],
  service: swiftService(2),
  create: (_, deps: FunctionDeps<OpenStackConnection>) =>
    containerActuator({ connection: connectionOf(deps), clock: deps.clock }),
})

/** Reconciles BackupBuckets of type `openstack` (docs/contract/kinds.md#backupbucket). */
const containerActuator = (options: SwiftOptions): Actuator<BackupBucket> => {
  const open = createOpenContainer(options)
  return {
    check: ({ object, secret }) => checkContainer('metadata.name', object.metadata.name, secret),
    reconcile: step => withErrorCodes(reconcileContainer(open, step)),
    remove: step => withErrorCodes(removeContainer(open, step)),
  }
}

/**
 * A container that exists already is adopted, as in the Go extension. That is safe: other than buckets of S3, containers
 * belong to the project, so one of this name cannot be a stranger's, and nothing in it is changed.
 */
const reconcileContainer = async (
  open: OpenContainer,
  step: StepContext<BackupBucket>,
): Promise<StepResult> => {
  const { object, operation, log } = step
  const container = open(object.metadata.name, object.spec.region, step)
  const state = await projectOf(container, step)
  if (await container.exists()) return done({ state })
  await container.create()
  if (operation === 'Reconcile')
    log.warn('container was missing and is created again; its earlier backups are lost', {
      container: container.name,
    })
  return done({ state })
}

/** Checks the project, and returns the state that records it. */
const projectOf = async (
  container: Pick<SwiftContainer, 'projectId'>,
  { object, secret }: StepContext<BackupBucket>,
) => {
  const project = await requireProject(container, {
    what: `container ${object.metadata.name}`,
    recorded: recordedProject(object),
    secret,
  })
  return { [projectKey]: project }
}

const removeContainer = async (open: OpenContainer, step: StepContext<BackupBucket>): Promise<StepResult> => {
  const { object } = step
  const { name } = object.metadata
  const container = open(name, object.spec.region, step)
  await projectOf(container, step)
  if (!hasBegun(object.status?.state) && (await container.remove())) return done()
  const unfinished = await removeObjects(container, '', step)
  if (unfinished !== undefined) return unfinished
  if (await container.remove()) return done()
  return continueSoon(step, {
    waitsFor: 'empty container',
    progress: 95,
    description: `Waiting until container ${name} is empty: Swift counts deleted objects for a while, or another client still writes`,
  })
}
