import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { failedMachines, machineConditionFields } from './machine-operation.ts'
import { labelSelector, machineTemplate } from './machine-template.ts'
import { int32, int64, intOrString, timeText } from './scalars.ts'

const limits = {
  maxSurge: intOrString.describe('How many machines more than wanted may be there.').exactOptional(),
  maxUnavailable: intOrString.describe('How many machines may be missing.').exactOptional(),
}

const strategy = z.object({
  inPlaceUpdate: z
    .object({ ...limits, orchestrationType: z.string().describe('Auto or Manual.').exactOptional() })
    .describe('Of type InPlaceUpdate.')
    .exactOptional(),
  rollingUpdate: z.object(limits).describe('Of type RollingUpdate.').exactOptional(),
  type: z.string().describe('RollingUpdate, InPlaceUpdate or Recreate.').exactOptional(),
})

const spec = z.object({
  autoPreserveFailedMachineMax: int32.describe('Most failed machines that are preserved.').exactOptional(),
  minReadySeconds: int32.describe('How long a machine must be ready to be available.').exactOptional(),
  paused: z.boolean().describe('Whether nothing is done.').exactOptional(),
  progressDeadlineSeconds: int32.describe('How long progress may take.').exactOptional(),
  replicas: int32.describe('How many machines; absent is none.').exactOptional(),
  revisionHistoryLimit: int32.describe('How many former MachineSets are kept.').exactOptional(),
  rollbackTo: z
    .object({ revision: int64.describe('Number of the revision.').exactOptional() })
    .describe('No longer used.')
    .exactOptional(),
  selector: labelSelector.describe('Which machines belong to it.').exactOptional(),
  strategy: strategy.describe('How machines are replaced.').exactOptional(),
  template: machineTemplate.describe('What a machine is made from.'),
})

const condition = z.object({
  ...machineConditionFields,
  lastUpdateTime: timeText.describe('When the condition was written.').exactOptional(),
})

const count = int32.exactOptional()

const status = z.object({
  availableReplicas: count.describe('Machines that have been ready for long enough.'),
  collisionCount: count.describe('How often the name of a MachineSet was taken.'),
  conditions: z.array(condition).describe('Conditions.').exactOptional(),
  failedMachines: failedMachines.describe('Machines whose last operation failed.').exactOptional(),
  observedGeneration: int64.describe('The generation that was worked on.').exactOptional(),
  preservedFailedReplicas: count.describe('Failed machines that are preserved.'),
  readyReplicas: count.describe('Machines that are ready.'),
  replicas: count.describe('Machines that are there.'),
  unavailableReplicas: count.describe('Machines that are not available.'),
  updatedReplicas: count.describe('Machines of the present class.'),
})

/** A number of equal machines with rolling updates (docs/contract/workers.md). */
export const machineDeploymentSchema = z
  .object({
    ...machineHead('MachineDeployment'),
    spec: spec.describe('What is wanted.').exactOptional(),
    status: status.describe('What is there.').exactOptional(),
  })
  .describe('A number of equal machines, of which changes are rolled out.')
export type MachineDeployment = z.infer<typeof machineDeploymentSchema>
