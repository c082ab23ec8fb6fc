import { dnsRecordProblems } from '../../../shared/contract/dns-record-problems.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { formatProblems } from '../../../shared/contract/problems.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import { readCredentials } from '../../../terraform-free-infra/aws/credentials/read-credentials.ts'
import { zoneProblems } from './zone.ts'

/** Everything that can be wrong with a record and its Secret before AWS is asked. Throws a `CodedError`. */
export const checkRecord = async ({
  object,
  secret,
}: {
  readonly object: DNSRecord
  readonly secret: Secret | undefined
}): Promise<void> => {
  const problems = [...dnsRecordProblems(object), ...zoneProblems(object)]
  if (problems.length > 0) {
    throw new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  }
  if (secret !== undefined) await readCredentials(secret, { dnsKeys: true })
}
