import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { parseObject } from '../../../shared/contract/parse.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  done,
  type ForcedStepContext,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { recordedIn, type ZoneRemoval, zonesToClear } from './route53/dns.ts'

/** With these codes, a retry cannot succeed. */
const outOfReach: ReadonlySet<ErrorCode> = new Set([
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_CONFIGURATION_PROBLEM',
])

/** Log message for a record that cannot be removed. */
export const recordLeft =
  'dns record may remain in a hosted zone that is not in the account of the credentials'

/** Names the record of an object that may violate its schema, in each zone that may contain it. */
export const recordOrphans = ({ spec, status }: DNSRecord): readonly string[] => {
  const zones = zonesToClear({
    spec: spec.zone,
    status: status?.zone,
    recorded: recordedIn(status?.state),
  }).map(({ id }) => id)
  return zones.length === 0 ? [phrase(spec)] : zones.map(zone => phrase(spec, zone))
}

const phrase = ({ recordType, name }: DNSRecord['spec'], zone?: string): string =>
  `${recordType} record ${name}${zone === undefined ? '' : ` in the hosted zone ${zone}`}`

/**
 * Deletes the record as usual if Route 53 accepts its Secret. Orphans records out of reach, so that the object is
 * deleted. Temporary errors (throttling, the network) are thrown for a retry.
 */
export const forceRemoveRecord = async (
  remove: (step: StepContext<DNSRecord>) => Promise<readonly ZoneRemoval[]>,
  step: ForcedStepContext<DNSRecord>,
): Promise<StepResult> => {
  const parsed = parseObject('DNSRecord', step.object)
  if (!parsed.ok) return orphaning(formatProblems(parsed.problems))
  const secret = await step.findSecret()
  if (secret === undefined) return orphaning('the Secret of spec.secretRef is missing or malformed')
  try {
    const left: string[] = []
    const reasons: string[] = []
    for (const removal of await remove({ ...step, object: parsed.object, secret })) {
      if (removal.kind === 'removed' || removal.kind === 'zone gone') continue
      left.push(phrase(parsed.object.spec, removal.zone))
      reasons.push(removal.kind === 'failed' ? reasonOf(removal.error) : recordLeft)
    }
    return left.length === 0 ? done() : orphaning(reasons.join('; '), left)
  } catch (error) {
    return orphaning(reasonOf(error))
  }
}

/** Returns the reason for an error that a retry cannot mend. Throws any other error. */
const reasonOf = (thrown: unknown): string => {
  const error = withCodes(thrown)
  if (error instanceof CodedError && error.codes.some(code => outOfReach.has(code))) return error.message
  throw thrown
}
