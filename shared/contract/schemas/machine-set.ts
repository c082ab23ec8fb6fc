import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { failedMachines, machineConditionFields, machineOperation } from './machine-operation.ts'
import { labelSelector, machineTemplate } from './machine-template.ts'
import { int32, int64 } from './scalars.ts'

const count = int32.exactOptional()

const spec = z.object({
  autoPreserveFailedMachineMax: count.describe('Maximum number of failed machines to preserve.'),
  machineClass: z
    .object({
      apiGroup: z.string().describe('Group of the class.').exactOptional(),
      kind: z.string().describe('MachineClass.').exactOptional(),
      name: z.string().describe('Name of the class.').exactOptional(),
    })
    .describe('Machine definition for the cloud.')
    .exactOptional(),
  minReadySeconds: count.describe('Time that a machine must be ready before it is available, in seconds.'),
  replicas: count.describe('Desired number of machines.'),
  selector: labelSelector.describe('Selects the machines of this deployment.').exactOptional(),
  template: machineTemplate.describe('Template of a machine.').exactOptional(),
})

const status = z.object({
  autoPreserveFailedMachineCount: count.describe(
    'Number of failed machines that are preserved automatically.',
  ),
  availableReplicas: count.describe('Machines that have been ready for minReadySeconds.'),
  failedMachines: failedMachines.describe('Machines whose last operation failed.').exactOptional(),
  fullyLabeledReplicas: count.describe('Machines with all labels of the template.'),
  lastOperation: machineOperation.describe('The last operation.').exactOptional(),
  machineSetCondition: z.array(z.object(machineConditionFields)).describe('Conditions.').exactOptional(),
  observedGeneration: int64.describe('The last processed generation.').exactOptional(),
  preservedFailedReplicas: count.describe('Failed machines that are preserved.'),
  readyReplicas: count.describe('Machines that are ready.'),
  replicas: count.describe('Current number of machines.'),
})

/** The machines of a deployment with the same class (docs/contract/workers.md). */
export const machineSetSchema = z
  .object({
    ...machineHead('MachineSet'),
    spec: spec.describe('The desired state.').exactOptional(),
    status: status.describe('The observed state.').exactOptional(),
  })
  .describe('The machines of a deployment with the same class.')
export type MachineSet = z.infer<typeof machineSetSchema>
