import * as z from 'zod'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { State } from '../../../terraform-free-infra/engine/engine.ts'

/** The key that a deletion writes before it deletes anything. */
export const deletingKey = 'Deleting'

/** Returns true if a deletion has begun. */
export const isDeleting = (state: State): boolean => state[deletingKey] !== undefined

const stored = z.record(z.string(), z.string().nullable())

/**
 * Reads `status.state`: ids of resources, and the entries of the engine. A Bastion of the Go extension has none. Throws a
 * `CodedError` for a value that this function did not write.
 */
export const decodeState = (value: unknown): State => {
  const { data, error } = stored.safeParse(value ?? {})
  if (error !== undefined)
    throw configurationProblem('cannot read status.state: it is not a map of texts. Restore or remove it')
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}

/** Returns a merge patch of `status.state`, which removes the keys that only the former state has. */
export const statePatch = (
  state: State,
  former: readonly string[],
): Readonly<Record<string, string | null>> => ({
  ...Object.fromEntries(former.filter(key => state[key] === undefined).map(key => [key, null])),
  ...state,
})
