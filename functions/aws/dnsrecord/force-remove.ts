import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { parseObject } from '../../../shared/contract/parse.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type ForcedStepContext,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'

/** With these codes, a retry cannot succeed. */
const outOfReach: ReadonlySet<ErrorCode> = new Set([
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_CONFIGURATION_PROBLEM',
])

/** Names the record of an object that may violate its schema. */
export const recordOrphans = ({ spec, status }: DNSRecord): readonly string[] => {
  const zone = spec.zone ?? status?.zone
  return [`${spec.recordType} record ${spec.name}${zone === undefined ? '' : ` in the hosted zone ${zone}`}`]
}

/**
 * Deletes the record as usual if Route 53 accepts its Secret. An unreachable record is orphaned, and the object is
 * deleted. Temporary errors (throttling, the network) are thrown for a retry.
 */
export const forceRemoveRecord = async (
  remove: (step: StepContext<DNSRecord>) => Promise<StepResult>,
  step: ForcedStepContext<DNSRecord>,
): Promise<StepResult> => {
  const parsed = parseObject('DNSRecord', step.object)
  if (!parsed.ok) return orphaning(formatProblems(parsed.problems))
  const secret = await step.findSecret()
  if (secret === undefined) return orphaning('the Secret of spec.secretRef is missing or malformed')
  try {
    return await remove({ ...step, object: parsed.object, secret })
  } catch (thrown) {
    const error = withCodes(thrown)
    if (error instanceof CodedError && error.codes.some(code => outOfReach.has(code))) {
      return orphaning(error.message)
    }
    throw thrown
  }
}
