import type { ParsedState } from '../../../cli/provider/provider.ts'
import { createAws, SnapshotError } from '../../../sandbox/aws/aws.ts'

/** The account that a simulator saved. */
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
