import * as z from 'zod'
import { parsedJson } from '../decode/record-of.ts'

/** The operation of a step. A forced delete is a `delete`. */
export const stepOperations = ['reconcile', 'delete', 'migrate', 'restore'] as const
export type StepOperation = (typeof stepOperations)[number]

/** Longest foreign text in the annotation, in characters. */
export const longestRemembered = 128

const remembered = z.string().max(longestRemembered)

const stepAnnotationSchema = z.object({
  phase: z
    .enum(['claimed', 'waiting', 'running'])
    // Earlier releases called a claim `running`; objects may still have it.
    .transform(phase => (phase === 'running' ? 'claimed' : phase)),
  operation: z.enum(stepOperations),
  attempt: z.int().min(0),
  until: z.iso.datetime({ offset: true }),
  durationMs: z.int().min(0).optional(),
  event: remembered,
  request: remembered.default(''),
  generation: z.int().default(0),
  was: remembered.default(''),
  forcedMs: z.int().min(0).optional(),
  metadataHash: remembered.optional(),
  waitsFor: remembered.optional(),
  waitsSince: z.iso.datetime({ offset: true }).optional(),
  claimedUntil: z.iso.datetime({ offset: true }).optional(),
  interrupted: z.boolean().optional(),
})

/**
 * The annotation `trellis.gardener.cloud/step`: the claim of an object, or the time of its next step
 * (docs/architecture.md#step-annotation).
 * - `claimed`: the event with id `event` has claimed the object until `lastOperation` is `Succeeded` or `until` is
 *   reached. A success does not update the annotation: that would cost one more request per object in the desired
 *   state. So the text must be true before and after, and says what ends the claim, not that a step is running.
 * - `waiting`: no step has claimed the object; the next step starts at `until`.
 *
 * `attempt` counts the failures since the last success. `until` is RFC 3339 with milliseconds. `request` is the request
 * that the step answers (`reconcile@<timestamp annotation>`, …; '' without a request) and `generation` the spec it
 * read; a change of either ends a wait early. `was` is `lastOperation` at the claim (`type/state/time`), or at the
 * write of a wait with `claimedUntil`: a different `Succeeded` was written by this step. `durationMs` is the length of
 * the claim or wait, so that an observer of the write needs no writer's clock. `forcedMs`: a forced delete, and the
 * milliseconds that it took before this claim or wait. `metadataHash` is `metadataHashOf` of the claimed object during
 * its deletion. `waitsFor` is the object of the actuator's wait, if named, and `waitsSince` the end of the first step
 * that waited for it. `claimedUntil`: the wait follows a success and was written before it. While `lastOperation`
 * equals `was`, the success is missing, and the claim holds until this time. `interrupted`: the step before the wait
 * has not done all its work, so the next one starts again. Foreign texts are stored as `boundedText`, so that the
 * annotation is short: all annotations of an object share 256 KiB.
 */
export type StepAnnotation = Readonly<z.infer<typeof stepAnnotationSchema>>

/** Returns the step, or undefined without an annotation of Trellis. */
export const parseStepAnnotation = (annotation: string | undefined): StepAnnotation | undefined =>
  annotation === undefined ? undefined : stepAnnotationSchema.safeParse(parsedJson(annotation)).data

/** For human readers; never parsed. */
const ends = 'when lastOperation is Succeeded, else at until'

const fields = ['phase', 'ends', ...Object.keys(stepAnnotationSchema.shape)]

/** Formats the annotation: the known fields in a fixed order, so that equal steps have equal texts. */
export const formatStepAnnotation = (step: StepAnnotation): string =>
  JSON.stringify(step.phase === 'claimed' ? { ...step, ends } : step, fields)
