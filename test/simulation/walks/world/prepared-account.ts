import { type AccountSnapshot, type Aws, createAws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { countedBytes } from './counted-bytes.ts'

/** The start of all worlds of a space. */
export const startTime = Date.parse('2026-01-01T00:00:00Z')

/** Creates resources of the user, once for all worlds of a space. Returns the account with the result. */
export const preparedAccount = async <T>(
  prepare: (aws: Aws) => T,
): Promise<{ readonly account: AccountSnapshot; readonly made: Awaited<T> }> => {
  const aws = createAws({ clock: virtualClock(startTime), bytes: countedBytes('prepared') })
  const made = await prepare(aws)
  return { account: aws.account().snapshot(), made }
}
