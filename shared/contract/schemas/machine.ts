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
        lastHeartbeatTime: timeText
          .describe('Time of the last confirmation of the condition.')
          .exactOptional(),
      }),
    )
    .describe('Conditions, including those of the node.')
    .exactOptional(),
  currentStatus: z
    .object({
      lastUpdateTime: timeText.describe('Since when.').exactOptional(),
      phase: z.string().describe('Pending, Running, Unknown, Failed, Terminating, …').exactOptional(),
      preserveExpiryTime: timeText.describe('Time until which the machine is preserved.').exactOptional(),
      timeoutActive: z.boolean().describe('If true, the phase has a time limit.').exactOptional(),
    })
    .describe('Current state of the machine.')
    .exactOptional(),
  lastKnownState: z.string().describe('State that the driver stored.').exactOptional(),
  lastOperation: machineOperation.describe('The last operation.').exactOptional(),
})

/** A machine in the cloud and its node (docs/contract/workers.md). */
export const machineSchema = z
  .object({
    ...machineHead('Machine'),
    spec: machineSpec.describe('The desired state.').exactOptional(),
    status: status.describe('The observed state.').exactOptional(),
  })
  .describe('A machine in the cloud, and its node.')
export type Machine = z.infer<typeof machineSchema>
