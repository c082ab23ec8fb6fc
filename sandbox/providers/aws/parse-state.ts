import type { ParsedState } from '../provider.ts'
import { createAws, SnapshotError } from './simulator/aws.ts'

/** Parses the account that a simulator saved. */
export const parseState = (
  value: unknown,
  read: (value: unknown) => unknown = createAws().readSnapshot,
): ParsedState => {
  try {
    return { ok: true, state: read(value) }
  } catch (error) {
    if (error instanceof SnapshotError) return { ok: false, problem: error.message }
    throw error
  }
}
