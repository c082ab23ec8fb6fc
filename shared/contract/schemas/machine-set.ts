import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { failedMachines, machineConditionFields, machineOperation } from './machine-operation.ts'
import { labelSelector, machineTemplate } from './machine-template.ts'
import { int32, int64, optional } from './scalars.ts'

const count = int32.exactOptional()

const spec = z.object({
  autoPreserveFailedMachineMax: count.describe('Maximum number of failed machines to preserve.'),
  machineClass: optional(
    z.object({
      apiGroup: optional(z.string(), 'Group of the class.'),
      kind: optional(z.string(), 'MachineClass.'),
      name: optional(z.string(), 'Name of the class.'),
    }),
    'Machine definition for the cloud.',
  ),
  minReadySeconds: count.describe('Time that a machine must be ready before it is available, in seconds.'),
  replicas: count.describe('Desired number of machines.'),
  selector: optional(labelSelector, 'Selects the machines of this deployment.'),
  template: optional(machineTemplate, 'Template of a machine.'),
})

const status = z.object({
  autoPreserveFailedMachineCount: count.describe(
    'Number of failed machines that are preserved automatically.',
  ),
  availableReplicas: count.describe('Machines that have been ready for minReadySeconds.'),
  failedMachines: optional(failedMachines, 'Machines whose last operation failed.'),
  fullyLabeledReplicas: count.describe('Machines with all labels of the template.'),
  lastOperation: optional(machineOperation, 'The last operation.'),
  machineSetCondition: optional(z.array(z.object(machineConditionFields)), 'Conditions.'),
  observedGeneration: optional(int64, 'The last processed generation.'),
  preservedFailedReplicas: count.describe('Failed machines that are preserved.'),
  readyReplicas: count.describe('Machines that are ready.'),
  replicas: count.describe('Current number of machines.'),
})

/** The machines of a deployment with the same class (docs/contract/workers.md). */
export const machineSetSchema = z
  .object({
    ...machineHead('MachineSet'),
    spec: optional(spec, 'The desired state.'),
    status: optional(status, 'The observed state.'),
  })
  .describe('The machines of a deployment with the same class.')
export type MachineSet = z.infer<typeof machineSetSchema>
