import * as z from 'zod'
import { dateTime, int32 } from './scalars.ts'

/**
 * `status.lastOperation`. Type and state are open, so that objects of other controllers can be read; Trellis writes
 * only the values in `status.ts`.
 */
export const lastOperation = z.object({
  description: z.string().describe('What is being done, or how it ended, for people.'),
  lastUpdateTime: dateTime.describe('When this entry was written.'),
  progress: int32.describe('How far it is, in percent.'),
  state: z.string().describe('Processing, Succeeded or Error; other values are written by others.'),
  type: z.string().describe('Create, Reconcile, Delete, Migrate or Restore.'),
})
export type LastOperation = z.infer<typeof lastOperation>

/** `status.lastError`: present only while the last finished attempt has failed. */
export const lastError = z.object({
  description: z.string().describe('What failed and why, for people.'),
  codes: z.array(z.string()).describe('What kind of error it is, for Gardener: ERR_….').exactOptional(),
  lastUpdateTime: dateTime.describe('When the error was recorded.').exactOptional(),
  taskID: z.string().describe('The task that failed; used on Shoots only.').exactOptional(),
})
export type LastError = z.infer<typeof lastError>
