import { CodedError } from '../../contract/errors.ts'

/** What a Secret holds at most, in bytes: the API server refuses more. */
export const mostBytes = 1_048_576

/**
 * What most clouds take at most, in bytes: less than the sum of what Gardener's own part and a few files need is never
 * refused here, because each cloud says for itself what is too much (docs/contract/small-kinds.md#sizes).
 */
export const largeBytes = 16_384

/** The sum, for one who adds up sizes before he makes so much of it. Throws a `CodedError` where no Secret holds it. */
export const addSize = (size: number, more: number): number => {
  if (size + more <= mostBytes) return size + more
  throw new CodedError(
    `the user data would be larger than the ${mostBytes} bytes that a Secret holds: its files and units have to be smaller`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}
