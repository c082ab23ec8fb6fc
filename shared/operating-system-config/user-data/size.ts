import { configurationProblem } from '../../contract/errors.ts'

/** Maximum size of a Secret in bytes. The API server refuses a larger one. */
const mostBytes = 1_048_576

/**
 * Maximum user data of most clouds in bytes. Larger data is never refused here, because each cloud checks its own limit
 * (docs/contract/small-kinds.md#sizes).
 */
export const largeBytes = 16_384

/** Returns the sum, to check a size before so much data is created. Throws a `CodedError` if it exceeds a Secret. */
export const addSize = (size: number, more: number): number => {
  if (size + more <= mostBytes) return size + more
  throw configurationProblem(
    `the user data exceeds the limit of ${mostBytes} bytes of a Secret: reduce its files and units`,
  )
}
