import * as z from 'zod'
import { timeText } from './scalars.ts'

/** The last operation on a machine or a set, as the machine controller reports it. */
export const machineOperation = z.object({
  description: z.string().describe('What happened.').exactOptional(),
  errorCode: z.string().describe('Code of the error.').exactOptional(),
  lastUpdateTime: timeText.describe('When it happened.').exactOptional(),
  state: z.string().describe('Processing, Failed or Successful.').exactOptional(),
  type: z.string().describe('Create, Update, HealthCheck, Delete, …').exactOptional(),
})

/** The failed machines of a set or a deployment. */
export const failedMachines = z.array(
  z.object({
    lastOperation: machineOperation.describe('What was done last.').exactOptional(),
    name: z.string().describe('Name of the Machine.').exactOptional(),
    ownerRef: z.string().describe('Name of its MachineSet.').exactOptional(),
    providerID: z.string().describe("The cloud's name of the machine.").exactOptional(),
  }),
)

/** Common fields of the conditions of machines, sets and deployments. */
export const machineConditionFields = {
  lastTransitionTime: timeText.describe('When the status changed last.').exactOptional(),
  message: z.string().describe('Details.').exactOptional(),
  reason: z.string().describe('Reason of the last change.').exactOptional(),
  status: z.string().describe('True, False or Unknown.'),
  type: z.string().describe('What the condition is about.'),
}
