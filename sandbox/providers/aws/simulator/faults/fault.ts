import * as z from 'zod'

const effect = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('error').describe('Answers with an error.'),
    code: z.string().describe('The code on the wire: `InternalFailure`.'),
    message: z.string().default('Injected fault.'),
    status: z.int().min(400).max(599).optional(),
  }),
  z.strictObject({
    kind: z.literal('denied').describe('Answers as the service does to a caller without the permission.'),
  }),
  z.strictObject({
    kind: z
      .literal('not-found')
      .describe('The call does not see resources: it is refused if it names one, and lists lack it.'),
    id: z.string().optional().describe('Id, ARN or name of the one resource; all of the service if absent.'),
  }),
  z.strictObject({ kind: z.literal('throttle').describe('Answers as the service does when it throttles.') }),
  z.strictObject({
    kind: z.literal('delay').describe('Answers late.'),
    milliseconds: z.number().min(0).describe("By the simulator's clock."),
  }),
  z.strictObject({
    kind: z.literal('clock-jump').describe("Puts the simulator's clock forward."),
    milliseconds: z.number().min(0),
  }),
  z.strictObject({ kind: z.literal('drop').describe('Closes the connection without an answer.') }),
])

/** A requested fault. Matching calls are counted from the time it is added. */
export const faultSchema = z.strictObject({
  service: z.string().optional().describe('`route53`; any service if absent.'),
  action: z
    .string()
    .optional()
    .describe('`ChangeResourceRecordSets`, or a pattern, `Describe*`; any action if absent.'),
  accessKeyId: z.string().optional().describe('Only calls with this key.'),
  nth: z.int().min(1).default(1).describe('The first matching call that fails, counted from 1.'),
  times: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('How many matching calls fail in a row from there; null: all of them. Default 1.'),
  lasts: z
    .number()
    .min(0)
    .optional()
    .describe(
      "How long it goes on from the first call that fails, in ms by the simulator's clock; `times` is then null if absent.",
    ),
  when: z
    .enum(['before', 'after'])
    .default('before')
    .describe('Before the call takes effect, or after it took effect but before its answer.'),
  effect,
})

export type Fault = z.output<typeof faultSchema>
export type FaultOrder = z.input<typeof faultSchema>
