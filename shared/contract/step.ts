import * as z from 'zod'

/** What a step does; a forced delete is a `delete`. */
export const stepOperations = ['reconcile', 'delete', 'migrate', 'restore'] as const
export type StepOperation = (typeof stepOperations)[number]

const stepSchema = z.object({
  phase: z.enum(['running', 'waiting']),
  operation: z.enum(stepOperations),
  attempt: z.int().min(0),
  until: z.iso.datetime({ offset: true }),
  event: z.string(),
  since: z.iso.datetime({ offset: true }).exactOptional(),
})

/**
 * The annotation `trellis.gardener.cloud/step`: who works on the object, or when to look again (design §4).
 * - `running`: claimed by the event with id `event` until `until`; past that anyone may claim it.
 * - `waiting`: nobody works on it; look again at `until`.
 *
 * `attempt` counts the tries that failed since the last success. `until` and `since` (when the operation began)
 * are RFC 3339 with milliseconds.
 */
export type Step = Readonly<z.infer<typeof stepSchema>>

/** The step, or undefined when there is no annotation or it is not one that Trellis wrote. */
export const parseStep = (annotation: string | undefined): Step | undefined => {
  if (annotation === undefined) return undefined
  try {
    return stepSchema.safeParse(JSON.parse(annotation)).data
  } catch {
    return undefined
  }
}

/** The annotation's value: the known fields in a fixed order, so that equal steps are equal texts. */
export const formatStep = ({ phase, operation, attempt, until, event, since }: Step): string =>
  JSON.stringify({ phase, operation, attempt, until, event, since })
