import { isSelfHosted } from '../../../shared/contract/cluster-facts.ts'
import { defaultRecordTtlSeconds } from '../../../shared/contract/constants.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { parseObject } from '../../../shared/contract/parse.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  done,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { checkRecord, isServed, placeProblems } from './check.ts'
import { ensureRecords, type NameServerClient, removeRecords } from './name-server/name-server.ts'

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
      if (parsed.ok) return remove({ ...step, object: parsed.object })
      step.log.warn('forced deletion orphans the dns record', { why: formatProblems(parsed.problems) })
      return done()
    },
  }
}
