import * as z from 'zod'
import { secondaryPrefix } from '../contract/constants.ts'
import { parsedJson } from '../decode/record-of.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** The operation of a secondary function: it follows the object, or cleans up before that is deleted or migrated. */
export const secondaryOperations = ['observe', 'delete', 'migrate'] as const
export type SecondaryOperation = (typeof secondaryOperations)[number]

const recordSchema = z.object({
  phase: z.enum(['claimed', 'waiting', 'observed']),
  operation: z.enum(secondaryOperations),
  uid: z.string(),
  generation: z.int(),
  success: z.string(),
  cleans: z.boolean(),
  attempt: z.int().min(0),
  event: z.string(),
  until: z.iso.datetime({ offset: true }).optional(),
  durationMs: z.int().min(0).optional(),
  why: z.string().optional(),
})

/**
 * The annotation of a secondary function: the versions that its last step has seen, and its claim or its next step.
 * - `claimed`: the step of the event `event` runs until `until` at the latest.
 * - `waiting`: the next step starts at `until`, or when the object changes. `why` is the reason for users; `attempt`
 *   counts the failures in a row.
 * - `observed`: nothing is due until the object changes.
 *
 * `generation` is the spec, and `success` the last success of the primary controller, that the step has seen. A record
 * with another `uid` was copied from another object. `cleans`: the function has a clean-up step.
 */
export type SecondaryRecord = Readonly<z.infer<typeof recordSchema>>

/** The key of a function's annotation, which is also its finalizer: `secondary.trellis.gardener.cloud/acme-audit`. */
export const markOf = (name: string): string => `${secondaryPrefix}${name}`

/** Reads the record of a function from an object. Returns undefined if it is missing, malformed or copied. */
export const recordIn = ({ metadata }: KubernetesObject, name: string): SecondaryRecord | undefined => {
  const text = metadata.annotations?.[markOf(name)]
  const record = text === undefined ? undefined : recordSchema.safeParse(parsedJson(text)).data
  return record?.uid === metadata.uid ? record : undefined
}

/** Formats a record: the known fields in a fixed order, so that equal records have equal texts. */
export const formatRecord = (record: SecondaryRecord): string =>
  JSON.stringify(record, Object.keys(recordSchema.shape))
