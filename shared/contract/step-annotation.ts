import * as z from 'zod'

/** What a step does; a forced delete is a `delete`. */
export const stepOperations = ['reconcile', 'delete', 'migrate', 'restore'] as const
export type StepOperation = (typeof stepOperations)[number]

/** The most characters of a text in the annotation that others wrote. */
export const longestRemembered = 128

const remembered = z.string().max(longestRemembered)

const stepAnnotationSchema = z.object({
  phase: z
    .enum(['claimed', 'waiting', 'running'])
    // What earlier releases called a claim, on objects that they left behind.
    .transform(phase => (phase === 'running' ? 'claimed' : phase)),
  operation: z.enum(stepOperations),
  attempt: z.int().min(0),
  until: z.iso.datetime({ offset: true }),
  durationMs: z.int().min(0).optional(),
  event: remembered,
  request: remembered.default(''),
  generation: z.int().default(0),
  was: remembered.default(''),
  forced: z.boolean().optional(),
  metadataHash: remembered.optional(),
  waitsFor: remembered.optional(),
  waitsSince: z.iso.datetime({ offset: true }).optional(),
})

/**
 * The annotation `trellis.gardener.cloud/step`: who works on the object, or when to look again
 * (docs/architecture.md#step-annotation).
 * - `claimed`: by the event with id `event`, until `lastOperation` is `Succeeded` or `until` has come. A success is
 *   no
 *   write to the annotation, which would be one more request for every object that is as it should be: what stands in
 * it
 *   then has to be true before and after. So it says what ends the claim, and not that a step is at work.
 * - `waiting`: nobody works on it; look again at `until`.
 *
 * `attempt` counts the tries that failed since the last success. `until` is RFC 3339 with milliseconds. `request` is
 * what the step answers (`reconcile@<timestamp annotation>`, …; '' when nobody asked) and `generation` the spec it saw:
 * a wait is cut short when either is another one. `was` is `lastOperation` at the claim (`type/state/time`): a
 * `Succeeded` that differs from it was written by this step. `durationMs` is how long the claim or the wait lasts: whoever
 * saw it being written can tell its end without the writer's clock. `forced`: a forced delete, whose tries are counted
 * apart from those before it was forced. `metadataHash` is `metadataHashOf` of the object that
 * the claim was made on, while it is being deleted. `waitsFor` is what the actuator waits for, if it has named it, and
 * `waitsSince` when the first step ended that waited for it. What others wrote goes in as `boundedText`, so that the annotation is
 * short whatever they write: 256 KiB is what all annotations of an object share.
 */
export type StepAnnotation = Readonly<z.infer<typeof stepAnnotationSchema>>

/** The step, or undefined when there is no annotation or it is not one that Trellis wrote. */
export const parseStepAnnotation = (annotation: string | undefined): StepAnnotation | undefined => {
  if (annotation === undefined) return undefined
  try {
    return stepAnnotationSchema.safeParse(JSON.parse(annotation)).data
  } catch {
    return undefined
  }
}

/** For whoever reads the object; never read back. */
const ends = 'when lastOperation is Succeeded, else at until'

/** The annotation's value: the known fields in a fixed order, so that equal steps are equal texts. */
export const formatStepAnnotation = ({
  phase,
  operation,
  attempt,
  until,
  durationMs,
  event,
  request,
  generation,
  was,
  forced,
  metadataHash,
  waitsFor,
  waitsSince,
}: StepAnnotation): string =>
  JSON.stringify({
    phase,
    ...(phase === 'claimed' ? { ends } : {}),
    operation,
    attempt,
    until,
    durationMs,
    event,
    request,
    generation,
    was,
    forced,
    metadataHash,
    waitsFor,
    waitsSince,
  })
