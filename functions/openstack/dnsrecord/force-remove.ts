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
import { withCodes } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { ZoneClearing } from './record-in-zone.ts'
import { zonesToClear } from './zones.ts'

/** With these codes, a retry cannot succeed. */
const outOfReach: ReadonlySet<ErrorCode> = new Set([
  'ERR_INFRA_UNAUTHENTICATED',
  'ERR_INFRA_UNAUTHORIZED',
  'ERR_CONFIGURATION_PROBLEM',
])

/** Names the record of an object that may violate its schema, in each zone that may contain it. */
export const recordOrphans = (object: DNSRecord): readonly string[] => {
  const zones = zonesToClear(object)
  return zones.length === 0 ? [phrase(object)] : zones.map(zone => phrase(object, zone))
}

const phrase = ({ spec: { recordType, name } }: DNSRecord, zone?: string): string =>
  `${recordType} record ${name}${zone === undefined ? '' : ` in the zone ${zone}`}`

/**
 * Deletes the record as usual if OpenStack accepts its Secret. Orphans records out of reach, so that the object is
 * deleted. Temporary errors (throttling, the network) are thrown for a retry.
 */
export const forceRemoveRecord = async (
  remove: (step: StepContext<DNSRecord>) => Promise<readonly ZoneClearing[]>,
  step: ForcedStepContext<DNSRecord>,
): Promise<StepResult> => {
  const parsed = parseObject('DNSRecord', step.object)
  if (!parsed.ok) return orphaning(formatProblems(parsed.problems))
  const secret = await step.findSecret()
  if (secret === undefined) return orphaning('the Secret of spec.secretRef is missing or malformed')
  try {
    const clearings = await remove({ ...step, object: parsed.object, secret })
    const failed = clearings.flatMap(one => (one.kind === 'failed' ? [one] : []))
    if (failed.length === 0) return done()
    return orphaning(
      failed.map(({ error }) => reasonOf(error)).join('; '),
      failed.map(({ zone }) => phrase(parsed.object, zone)),
    )
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
