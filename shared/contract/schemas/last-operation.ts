import * as z from 'zod'
import { dateTime, int32, optional } from './scalars.ts'

/**
 * `status.lastOperation`. Type and state are open, so that objects of other controllers can be read; Trellis writes
 * only the values in `status.ts`.
 */
export const lastOperation = z.object({
  description: z.string().describe('Progress or result of the operation, as text for users.'),
  lastUpdateTime: dateTime.describe('Time of this entry.'),
  progress: int32.describe('Progress in percent.'),
  state: z.string().describe('Processing, Succeeded or Error. Other writers use other values.'),
  type: z.string().describe('Create, Reconcile, Delete, Migrate or Restore.'),
})
export type LastOperation = z.infer<typeof lastOperation>

/** `status.lastError`: present only while the last finished attempt has failed. */
export const lastError = z.object({
  description: z.string().describe('Failed operation and reason, as text for users.'),
  codes: optional(z.array(z.string()), 'Error codes for Gardener: ERR_….'),
  lastUpdateTime: optional(dateTime, 'Time of the error.'),
  taskID: optional(z.string(), 'The failed task; only for Shoots.'),
})
export type LastError = z.infer<typeof lastError>
