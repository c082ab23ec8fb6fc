import * as z from 'zod'
import { machineHead } from './machine-head.ts'
import { machineConditionFields, machineOperation } from './machine-operation.ts'
import { machineSpec } from './machine-template.ts'
import { optional, timeText } from './scalars.ts'

const address = z.object({
  address: z.string().describe('The address.'),
  type: z.string().describe('Hostname, ExternalIP or InternalIP.'),
})

const status = z.object({
  addresses: optional(z.array(address), 'Addresses of the machine.'),
  conditions: optional(
    z.array(
      z.object({
        ...machineConditionFields,
        lastHeartbeatTime: optional(timeText, 'Time of the last confirmation of the condition.'),
      }),
    ),
    'Conditions, including those of the node.',
  ),
  currentStatus: optional(
    z.object({
      lastUpdateTime: optional(timeText, 'Since when.'),
      phase: optional(z.string(), 'Pending, Running, Unknown, Failed, Terminating, …'),
      preserveExpiryTime: optional(timeText, 'Time until which the machine is preserved.'),
      timeoutActive: optional(z.boolean(), 'If true, the phase has a time limit.'),
    }),
    'Current state of the machine.',
  ),
  lastKnownState: optional(z.string(), 'State that the driver stored.'),
  lastOperation: optional(machineOperation, 'The last operation.'),
})

/** A machine in the cloud and its node (docs/contract/workers.md). */
export const machineSchema = z
  .object({
    ...machineHead('Machine'),
    spec: optional(machineSpec, 'The desired state.'),
    status: optional(status, 'The observed state.'),
  })
  .describe('A machine in the cloud, and its node.')
export type Machine = z.infer<typeof machineSchema>
