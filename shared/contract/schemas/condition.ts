import * as z from 'zod'
import { dateTime, optional } from './scalars.ts'

/** One entry of `status.conditions` (docs/contract/lifecycle.md#conditions). */
export const condition = z.object({
  type: z.string().describe('Type of the condition; unique in the list.'),
  status: z.string().describe('True, False, Unknown or Progressing.'),
  reason: z.string().describe('Reason for the status, in one word.'),
  message: z.string().describe('Reason for the status, as text for users.'),
  lastTransitionTime: dateTime.describe('Time of the last change of status.'),
  lastUpdateTime: dateTime.describe('Time of the last change of any field.'),
  codes: optional(z.array(z.string()), 'Error codes for Gardener: ERR_….'),
})
export type Condition = z.infer<typeof condition>
