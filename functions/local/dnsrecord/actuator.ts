import { isSelfHosted } from '../../../shared/contract/cluster-facts.ts'
import { defaultRecordTtlSeconds } from '../../../shared/contract/constants.ts'
import { dnsRecordProblems } from '../../../shared/contract/dns-record-problems.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { parseObject } from '../../../shared/contract/parse.ts'
import { formatProblems, type Problem } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  done,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { when } from '../../../shared/lists/when.ts'
import { ensureRecords, isInZone, type NameServerClient, removeRecords } from './name-server/name-server.ts'

export interface LocalDnsRecordDeps {
  readonly nameServer: NameServerClient
  /** The zone for which it is the primary server. */
  readonly zone: string
}

/**
 * Reconciles DNSRecords of type `local` (docs/contract/provider-local.md#records): records of one zone, written by
 * dynamic updates. A migration deletes the record, and the other seed recreates it.
 */
export const dnsRecordActuator = ({ nameServer, zone }: LocalDnsRecordDeps): Actuator<DNSRecord> => {
  const remove = async (step: StepContext<DNSRecord>): Promise<StepResult> => {
    const { name, recordType: type } = step.object.spec
    const problems = placeProblems(step.object, zone)
    if (problems.length > 0 || !isServed(type)) {
      step.log.warn('such a record cannot exist; nothing to delete', { why: formatProblems(problems) })
      return done()
    }
    if ((await removeRecords(nameServer, { name, type }, step)) === 'removed')
      step.log.info('dns record deleted', { record: name, type })
    return done()
  }
  return {
    check: ({ object }) => checkRecord(object, zone),
    reconcile: async step => {
      const { name, recordType: type, values, ttl = defaultRecordTtlSeconds } = step.object.spec
      // The check has refused unsupported types.
      if (!isServed(type)) return done()
      if ((await ensureRecords(nameServer, { name, type, values, ttl }, step)) === 'changed')
        step.log.info('dns record changed', { record: name, type })
      return done()
    },
    remove,
    // The record of a self-hosted shoot leads to the shoot itself, wherever its objects are.
    migrate: async step => (step.cluster && isSelfHosted(step.cluster) ? done() : remove(step)),
    forceRemove: async step => {
      const parsed = parseObject('DNSRecord', step.object)
      return parsed.ok
        ? remove({ ...step, object: parsed.object })
        : orphaning(formatProblems(parsed.problems))
    },
    orphans: ({ object: { spec } }) => [`${spec.recordType} record ${spec.name}`],
  }
}

type ServedType = Exclude<DNSRecord['spec']['recordType'], 'TXT'>

/** Returns the reasons why an object can never have had a record in the zone. Empty if it can. */
const placeProblems = ({ spec }: DNSRecord, zone: string): readonly Problem[] => [
  ...(isServed(spec.recordType)
    ? []
    : [{ path: 'spec.recordType', message: `expected A, AAAA or CNAME, found ${spec.recordType}` }]),
  ...when(!isInZone(spec.name, zone), {
    path: 'spec.name',
    message: `expected a name in the zone ${zone}, found ${JSON.stringify(spec.name)}`,
  }),
]

/** Gardener also has TXT records, which provider-local does not support (docs/contract/provider-local.md#records). */
const isServed = (type: DNSRecord['spec']['recordType']): type is ServedType => type !== 'TXT'

/** Checks a record before the name server is queried. Throws a `CodedError`. */
const checkRecord = (object: DNSRecord, zone: string): void => {
  const problems = [...dnsRecordProblems(object), ...placeProblems(object, zone)]
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
}
