import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import type { Actuator, StepResult } from '../../../shared/lifecycle/actuator.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'
import { checkRecord } from './check.ts'
import { createConnect, type DnsRecordDeps } from './connect.ts'
import { reconcileRecord } from './reconcile.ts'
import { removeRecord } from './remove.ts'

/**
 * DNSRecords of type `aws-route53` (contract, kinds §2 and provider-aws §3). Restoring is reconciling, migrating and a
 * forced deletion leave the record where it is: the lifecycle's defaults. Make one per process: it keeps the rate limits and the sessions of workload identities.
 */
export const dnsRecordActuator = (deps: DnsRecordDeps): Actuator<DNSRecord> => {
  const connect = createConnect(deps)
  return {
    check: checkRecord,
    reconcile: step => coded(reconcileRecord(connect, step)),
    remove: step => coded(removeRecord(connect, step)),
  }
}

const coded = (result: Promise<StepResult>): Promise<StepResult> =>
  result.catch((error: unknown) => {
    throw withCodes(error)
  })
