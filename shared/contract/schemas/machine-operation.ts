import * as z from 'zod'
import { timeText } from './scalars.ts'

/** The last operation on a machine or a set, as the machine controller reports it. */
export const machineOperation = z.object({
  description: z.string().describe('Description of the operation, for users.').exactOptional(),
  errorCode: z.string().describe('Code of the error.').exactOptional(),
  lastUpdateTime: timeText.describe('Time of the operation.').exactOptional(),
  state: z.string().describe('Processing, Failed or Successful.').exactOptional(),
  type: z.string().describe('Create, Update, HealthCheck, Delete, …').exactOptional(),
})

/** The failed machines of a set or a deployment. */
export const failedMachines = z.array(
  z.object({
    lastOperation: machineOperation.describe('The last operation.').exactOptional(),
    name: z.string().describe('Name of the Machine.').exactOptional(),
    ownerRef: z.string().describe('Name of its MachineSet.').exactOptional(),
    providerID: z.string().describe('Id of the machine at the cloud.').exactOptional(),
  }),
)

/** Common fields of the conditions of machines, sets and deployments. */
export const machineConditionFields = {
  lastTransitionTime: timeText.describe('Time of the last change of status.').exactOptional(),
  message: z.string().describe('Details.').exactOptional(),
  reason: z.string().describe('Reason of the last change.').exactOptional(),
  status: z.string().describe('True, False or Unknown.'),
  type: z.string().describe('Type of the condition.'),
}
