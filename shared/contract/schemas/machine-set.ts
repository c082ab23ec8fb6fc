import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { failedMachines, machineConditionFields, machineOperation } from './machine-operation.ts'
import { labelSelector, machineTemplate } from './machine-template.ts'
import { int32, int64 } from './scalars.ts'

const count = int32.exactOptional()

const spec = z.object({
  autoPreserveFailedMachineMax: count.describe('Most failed machines that are preserved.'),
  machineClass: z
    .object({
      apiGroup: z.string().describe('Group of the class.').exactOptional(),
      kind: z.string().describe('MachineClass.').exactOptional(),
      name: z.string().describe('Name of the class.').exactOptional(),
    })
    .describe('What a machine is, for the cloud.')
    .exactOptional(),
  minReadySeconds: count.describe('How long a machine must be ready to be available.'),
  replicas: count.describe('How many machines.'),
  selector: labelSelector.describe('Which machines belong to it.').exactOptional(),
  template: machineTemplate.describe('What a machine is made from.').exactOptional(),
})

const status = z.object({
  autoPreserveFailedMachineCount: count.describe('Failed machines that are preserved of themselves.'),
  availableReplicas: count.describe('Machines that have been ready for long enough.'),
  failedMachines: failedMachines.describe('Machines whose last operation failed.').exactOptional(),
  fullyLabeledReplicas: count.describe('Machines with all labels of the template.'),
  lastOperation: machineOperation.describe('What was done last.').exactOptional(),
  machineSetCondition: z.array(z.object(machineConditionFields)).describe('Conditions.').exactOptional(),
  observedGeneration: int64.describe('The generation that was worked on.').exactOptional(),
  preservedFailedReplicas: count.describe('Failed machines that are preserved.'),
  readyReplicas: count.describe('Machines that are ready.'),
  replicas: count.describe('Machines that are there.'),
})

/** The machines of a deployment with the same class (docs/contract/workers.md). */
export const machineSetSchema = z
  .object({
    ...machineHead('MachineSet'),
    spec: spec.describe('What is wanted.').exactOptional(),
    status: status.describe('What is there.').exactOptional(),
  })
  .describe('The machines of a deployment that have one class.')
export type MachineSet = z.infer<typeof machineSetSchema>
