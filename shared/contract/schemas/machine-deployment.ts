import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { failedMachines, machineConditionFields } from './machine-operation.ts'
import { labelSelector, machineTemplate } from './machine-template.ts'
import { int32, int64, intOrString, timeText } from './scalars.ts'

const limits = {
  maxSurge: intOrString.describe('Maximum number of additional machines during an update.').exactOptional(),
  maxUnavailable: intOrString
    .describe('Maximum number of unavailable machines during an update.')
    .exactOptional(),
}

const strategy = z.object({
  inPlaceUpdate: z
    .object({ ...limits, orchestrationType: z.string().describe('Auto or Manual.').exactOptional() })
    .describe('Settings for type InPlaceUpdate.')
    .exactOptional(),
  rollingUpdate: z.object(limits).describe('Settings for type RollingUpdate.').exactOptional(),
  type: z.string().describe('RollingUpdate, InPlaceUpdate or Recreate.').exactOptional(),
})

const spec = z.object({
  autoPreserveFailedMachineMax: int32
    .describe('Maximum number of failed machines to preserve.')
    .exactOptional(),
  minReadySeconds: int32
    .describe('Time that a machine must be ready before it is available, in seconds.')
    .exactOptional(),
  paused: z.boolean().describe('If true, the deployment is not processed.').exactOptional(),
  progressDeadlineSeconds: int32.describe('Deadline for progress, in seconds.').exactOptional(),
  replicas: int32.describe('Desired number of machines. Default: 0.').exactOptional(),
  revisionHistoryLimit: int32.describe('Number of former MachineSets to retain.').exactOptional(),
  rollbackTo: z
    .object({ revision: int64.describe('Number of the revision.').exactOptional() })
    .describe('No longer used.')
    .exactOptional(),
  selector: labelSelector.describe('Selects the machines of this deployment.').exactOptional(),
  strategy: strategy.describe('Strategy for the replacement of machines.').exactOptional(),
  template: machineTemplate.describe('Template of a machine.'),
})

const condition = z.object({
  ...machineConditionFields,
  lastUpdateTime: timeText.describe('Time of the last write of the condition.').exactOptional(),
})

const count = int32.exactOptional()

const status = z.object({
  availableReplicas: count.describe('Machines that have been ready for minReadySeconds.'),
  collisionCount: count.describe('Number of name collisions of MachineSets.'),
  conditions: z.array(condition).describe('Conditions.').exactOptional(),
  failedMachines: failedMachines.describe('Machines whose last operation failed.').exactOptional(),
  observedGeneration: int64.describe('The last processed generation.').exactOptional(),
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
    spec: spec.describe('The desired state.').exactOptional(),
    status: status.describe('The observed state.').exactOptional(),
  })
  .describe('A number of equal machines, with controlled rollout of changes.')
export type MachineDeployment = z.infer<typeof machineDeploymentSchema>
