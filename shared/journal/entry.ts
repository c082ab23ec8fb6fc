import * as z from 'zod'

/** The version of the format. A reader refuses other versions, and ignores unknown fields and entries of its own. */
export const journalVersion = 1

const time = z.iso
  .datetime({ offset: true })
  .meta({ description: 'RFC 3339 with milliseconds, by the clock of the recorder.' })
const objectId = z.string().meta({
  description:
    'Kind, namespace and name: `DNSRecord shoot--garden--rose/rose-external`, `BackupBucket backups`.',
})

/** The first line of a journal. */
export const journalHeaderSchema = z
  .object({
    journal: z.literal(journalVersion).meta({ description: 'The version of the format.' }),
    by: z.string().meta({ description: 'The program that recorded it: `trellis record 1.2.3`.' }),
    at: time,
    seed: z.string().optional().meta({ description: 'The name of the seed, if known.' }),
    shoots: z
      .array(z.string())
      .optional()
      .meta({ description: 'The namespaces of the chosen shoots. Absent: all shoots.' }),
  })
  .meta({ id: 'header', description: 'The first line of a journal.' })

/** A call of a step to the API server or to a cloud. */
export const callSchema = z
  .object({
    to: z.enum(['kubernetes', 'cloud']),
    name: z
      .string()
      .meta({ description: '`PATCH dnsrecords/status`, or service and operation: `ec2 CreateVpc`.' }),
    target: z
      .string()
      .optional()
      .meta({ description: 'The object in the API server: `shoot--garden--rose/rose`.' }),
    args: z.string().optional().meta({
      description:
        'The arguments as JSON, cut after 512 characters, without secret values. Only for clouds, and not for reads that succeeded.',
    }),
    after: z.number().meta({ description: 'Its start after the start of the step, in ms.' }),
    ms: z.number().meta({ description: 'Its duration in ms.' }),
    status: z.string().meta({ description: 'The HTTP status, or `none` if no response arrived.' }),
    error: z
      .string()
      .optional()
      .meta({ description: 'The code or reason of a failure: `DependencyViolation`.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'The id of the request, which the owner of the cloud knows.' }),
    write: z.boolean().optional().meta({ description: 'True if the call can change something.' }),
  })
  .meta({
    id: 'call',
    description:
      'A call of a step. Each attempt of a call to a cloud is a call; a read of the API server with its retries is one.',
  })

/** The report of a step, as its function writes it: everything except the recorder's time. */
export const stepReportSchema = z.object({
  event: z.string().meta({ description: 'The id of the event that started it.' }),
  traceparent: z.string().optional().meta({ description: 'The W3C trace context of the event.' }),
  function: z.string().meta({ description: 'The name of the function: `aws-dnsrecord`.' }),
  object: objectId,
  operation: z.string().meta({ description: 'The operation of the event: `reconcile`, `continue`.' }),
  began: time,
  ms: z.number().meta({ description: 'The duration of the step in ms.' }),
  outcome: z.string().meta({ description: '`succeeded`, `continues`, `failed`, `busy`, … (StepOutcome).' }),
  reason: z.string().optional().meta({
    description:
      'The codes and the text of the error of a step that failed, or why its outcome could not be recorded. Cut after 1,000 characters, without secret values.',
  }),
  calls: z.array(callSchema).meta({ description: 'Its calls, in the order in which they ended.' }),
  lost: z
    .int()
    .optional()
    .meta({ description: 'The number of calls beyond the limits, which are not in `calls`.' }),
})

const objectEntry = z
  .object({
    type: z.literal('object'),
    at: time,
    id: objectId,
    object: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The whole object without managedFields. The first entry of an object has it.' }),
    patch: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'A change since the last entry of the object: a JSON merge patch (RFC 7386).' }),
    gone: z.literal(true).optional().meta({ description: 'The object was deleted.' }),
  })
  .meta({
    id: 'object',
    description:
      'A change of an object: exactly one of `object`, `patch` and `gone`. Claims, conditions and ids of the cloud are in the object. Never a Secret.',
  })

const eventEntry = z
  .object({
    type: z.literal('event'),
    at: time,
    event: z
      .object({ id: z.string(), source: z.string(), type: z.string(), subject: z.string(), time: z.string() })
      .loose()
      .meta({
        description: 'The attributes of the CloudEvent (docs/architecture.md#events), without its data.',
      }),
  })
  .meta({
    id: 'event',
    description: 'An event that the bridge sent. Its data is the object at `event.resourceversion`.',
  })

const stepEntry = stepReportSchema
  .extend({ type: z.literal('step'), at: time })
  .meta({ id: 'step', description: 'A step that ended, with its calls.' })

const gapEntry = z
  .object({
    type: z.literal('gap'),
    at: time,
    until: time.optional(),
    why: z
      .string()
      .meta({ description: 'The missing part and the reason: `steps: the bridge could not be read (403)`.' }),
  })
  .meta({ id: 'gap', description: 'Something that the recorder could not see.' })

/** Each line after the first. */
export const journalEntrySchema = z.discriminatedUnion('type', [objectEntry, eventEntry, stepEntry, gapEntry])

export type JournalHeader = Readonly<z.infer<typeof journalHeaderSchema>>
export type StepCall = Readonly<z.infer<typeof callSchema>>
export type StepReport = Readonly<Omit<z.infer<typeof stepReportSchema>, 'calls'>> & {
  readonly calls: readonly StepCall[]
}
export type ObjectEntry = Readonly<z.infer<typeof objectEntry>>
export type EventEntry = Readonly<z.infer<typeof eventEntry>>
export type StepEntry = StepReport & { readonly type: 'step'; readonly at: string }
export type GapEntry = Readonly<z.infer<typeof gapEntry>>
export type JournalEntry = ObjectEntry | EventEntry | StepEntry | GapEntry
