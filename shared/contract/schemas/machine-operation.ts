import * as z from 'zod'
import { optional, timeText } from './scalars.ts'

/** The last operation on a machine or a set, as the machine controller reports it. */
export const machineOperation = z.object({
  description: optional(z.string(), 'Description of the operation, for users.'),
  errorCode: optional(z.string(), 'Code of the error.'),
  lastUpdateTime: optional(timeText, 'Time of the operation.'),
  state: optional(z.string(), 'Processing, Failed or Successful.'),
  type: optional(z.string(), 'Create, Update, HealthCheck, Delete, …'),
})

/** The failed machines of a set or a deployment. */
export const failedMachines = z.array(
  z.object({
    lastOperation: optional(machineOperation, 'The last operation.'),
    name: optional(z.string(), 'Name of the Machine.'),
    ownerRef: optional(z.string(), 'Name of its MachineSet.'),
    providerID: optional(z.string(), 'Id of the machine at the cloud.'),
  }),
)

/** Common fields of the conditions of machines, sets and deployments. */
export const machineConditionFields = {
  lastTransitionTime: optional(timeText, 'Time of the last change of status.'),
  message: optional(z.string(), 'Details.'),
  reason: optional(z.string(), 'Reason of the last change.'),
  status: z.string().describe('True, False or Unknown.'),
  type: z.string().describe('Type of the condition.'),
}
