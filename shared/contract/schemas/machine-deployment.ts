import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { failedMachines, machineConditionFields } from './machine-operation.ts'
import { labelSelector, machineTemplate } from './machine-template.ts'
import { int32, int64, intOrString, optional, timeText } from './scalars.ts'

const limits = {
  maxSurge: optional(intOrString, 'Maximum number of additional machines during an update.'),
  maxUnavailable: optional(intOrString, 'Maximum number of unavailable machines during an update.'),
}

const strategy = z.object({
  inPlaceUpdate: optional(
    z.object({ ...limits, orchestrationType: optional(z.string(), 'Auto or Manual.') }),
    'Settings for type InPlaceUpdate.',
  ),
  rollingUpdate: optional(z.object(limits), 'Settings for type RollingUpdate.'),
  type: optional(z.string(), 'RollingUpdate, InPlaceUpdate or Recreate.'),
})

const spec = z.object({
  autoPreserveFailedMachineMax: optional(int32, 'Maximum number of failed machines to preserve.'),
  minReadySeconds: optional(int32, 'Time that a machine must be ready before it is available, in seconds.'),
  paused: optional(z.boolean(), 'If true, the deployment is not processed.'),
  progressDeadlineSeconds: optional(int32, 'Deadline for progress, in seconds.'),
  replicas: optional(int32, 'Desired number of machines. Default: 0.'),
  revisionHistoryLimit: optional(int32, 'Number of former MachineSets to retain.'),
  rollbackTo: optional(z.object({ revision: optional(int64, 'Number of the revision.') }), 'No longer used.'),
  selector: optional(labelSelector, 'Selects the machines of this deployment.'),
  strategy: optional(strategy, 'Strategy for the replacement of machines.'),
  template: machineTemplate.describe('Template of a machine.'),
})

const condition = z.object({
  ...machineConditionFields,
  lastUpdateTime: optional(timeText, 'Time of the last write of the condition.'),
})

const count = int32.exactOptional()

const status = z.object({
  availableReplicas: count.describe('Machines that have been ready for minReadySeconds.'),
  collisionCount: count.describe('Number of name collisions of MachineSets.'),
  conditions: optional(z.array(condition), 'Conditions.'),
  failedMachines: optional(failedMachines, 'Machines whose last operation failed.'),
  observedGeneration: optional(int64, 'The last processed generation.'),
  preservedFailedReplicas: count.describe('Failed machines that are preserved.'),
  readyReplicas: count.describe('Machines that are ready.'),
  replicas: count.describe('Current number of machines.'),
  unavailableReplicas: count.describe('Machines that are not available.'),
  updatedReplicas: count.describe('Machines of the current class.'),
})

/** A number of equal machines with rolling updates (docs/contract/workers.md). */
export const machineDeploymentSchema = z
  .object({
    ...machineHead('MachineDeployment'),
    spec: optional(spec, 'The desired state.'),
    status: optional(status, 'The observed state.'),
  })
  .describe('A number of equal machines, with controlled rollout of changes.')
export type MachineDeployment = z.infer<typeof machineDeploymentSchema>
