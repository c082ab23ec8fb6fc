import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { machineConditionFields, machineOperation } from './machine-operation.ts'
import { machineSpec } from './machine-template.ts'
import { timeText } from './scalars.ts'

const address = z.object({
  address: z.string().describe('The address.'),
  type: z.string().describe('Hostname, ExternalIP or InternalIP.'),
})

const status = z.object({
  addresses: z.array(address).describe('Addresses of the machine.').exactOptional(),
  conditions: z
    .array(
      z.object({
        ...machineConditionFields,
        lastHeartbeatTime: timeText.describe('When the condition was confirmed last.').exactOptional(),
      }),
    )
    .describe('Conditions, those of the node among them.')
    .exactOptional(),
  currentStatus: z
    .object({
      lastUpdateTime: timeText.describe('Since when.').exactOptional(),
      phase: z.string().describe('Pending, Running, Unknown, Failed, Terminating, …').exactOptional(),
      preserveExpiryTime: timeText.describe('Until when the machine is preserved.').exactOptional(),
      timeoutActive: z.boolean().describe('Whether the phase has a limit of time.').exactOptional(),
    })
    .describe('How the machine stands.')
    .exactOptional(),
  lastKnownState: z.string().describe('What the driver remembers.').exactOptional(),
  lastOperation: machineOperation.describe('What was done last.').exactOptional(),
})

/** A machine in the cloud and its node (docs/contract/workers.md). */
export const machineSchema = z
  .object({
    ...machineHead('Machine'),
    spec: machineSpec.describe('What is wanted.').exactOptional(),
    status: status.describe('What is there.').exactOptional(),
  })
  .describe('A machine in the cloud, and the node that it becomes.')
export type Machine = z.infer<typeof machineSchema>
