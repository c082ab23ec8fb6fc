import * as z from 'zod'
import { dateTime } from './scalars.ts'

/** One entry of `status.conditions` (docs/contract/lifecycle.md#conditions). */
export const condition = z.object({
  type: z.string().describe('What the condition is about; unique in the list.'),
  status: z.string().describe('True, False, Unknown or Progressing.'),
  reason: z.string().describe('One word for why it is so.'),
  message: z.string().describe('Why it is so, for people.'),
  lastTransitionTime: dateTime.describe('When the status last changed.'),
  lastUpdateTime: dateTime.describe('When anything of the condition last changed.'),
  codes: z.array(z.string()).describe('What kind of problem it is, for Gardener: ERR_….').exactOptional(),
})
export type Condition = z.infer<typeof condition>
