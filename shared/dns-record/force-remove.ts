import type { ErrorCode } from '../contract/constants.ts'
import { CodedError } from '../contract/errors.ts'
import type { DNSRecord } from '../contract/objects.ts'
import { parseObject } from '../contract/parse.ts'
import { formatProblems } from '../decode/problems.ts'
import {
  done,
  type ForcedStepContext,
  orphaning,
  type StepContext,
  type StepResult,
} from '../lifecycle/lifecycle.ts'

/** With these codes, a retry cannot succeed. */
const outOfReach: ReadonlySet<ErrorCode> = new Set([
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_CONFIGURATION_PROBLEM',
])

/** A record that was not removed. */
export interface RecordLeft {
  /** Names it: `A record api.example.com in the zone 7`. */
  readonly what: string
  /** The reason, or the error of its removal. */
  readonly why: string | { readonly error: unknown }
}

/**
 * Deletes the record as usual if the cloud accepts its Secret. Orphans records out of reach, so that the object is
 * deleted. Temporary errors (throttling, the network) are thrown for a retry.
 *
 * @param withCodes adds Gardener's codes to an error
 */
export const forceRemoveRecord = async (
  step: ForcedStepContext<DNSRecord>,
  remove: (step: StepContext<DNSRecord>) => Promise<readonly RecordLeft[]>,
  withCodes: (error: unknown) => unknown,
): Promise<StepResult> => {
  const parsed = parseObject('DNSRecord', step.object)
  if (!parsed.ok) return orphaning(formatProblems(parsed.problems))
  const secret = await step.findSecret()
  if (secret === undefined) return orphaning('the Secret of spec.secretRef is missing or malformed')
  /** Returns the reason for an error that a retry cannot mend. Throws any other error. */
  const reasonOf = (thrown: unknown): string => {
    const error = withCodes(thrown)
    if (error instanceof CodedError && error.codes.some(code => outOfReach.has(code))) return error.message
    throw thrown
  }
  try {
    const left = await remove({ ...step, object: parsed.object, secret })
    if (left.length === 0) return done()
    return orphaning(
      left.map(({ why }) => (typeof why === 'string' ? why : reasonOf(why.error))).join('; '),
      left.map(({ what }) => what),
    )
  } catch (error) {
    return orphaning(reasonOf(error))
  }
}
