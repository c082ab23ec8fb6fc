import { dnsRecordProblems } from '../../../shared/contract/dns-record-problems.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { formatProblems, type Problem } from '../../../shared/decode/problems.ts'
import { isInZone } from './name-server/name-server.ts'

type ServedType = Exclude<DNSRecord['spec']['recordType'], 'TXT'>

/** Returns the reasons why an object can never have had a record in the zone. Empty if it can. */
export const placeProblems = ({ spec }: DNSRecord, zone: string): readonly Problem[] => [
  ...(isServed(spec.recordType)
    ? []
    : [{ path: 'spec.recordType', message: `expected A, AAAA or CNAME, found ${spec.recordType}` }]),
  ...(isInZone(spec.name, zone)
    ? []
    : [
        {
          path: 'spec.name',
          message: `expected a name in the zone ${zone}, found ${JSON.stringify(spec.name)}`,
        },
      ]),
]

/** Gardener also has TXT records, which provider-local does not support (docs/contract/provider-local.md#records). */
export const isServed = (type: DNSRecord['spec']['recordType']): type is ServedType => type !== 'TXT'

/** Checks a record before the name server is queried. Throws a `CodedError`. */
export const checkRecord = (object: DNSRecord, zone: string): void => {
  const problems = [...dnsRecordProblems(object), ...placeProblems(object, zone)]
  if (problems.length > 0)
    throw new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
}
