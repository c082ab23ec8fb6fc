import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import { type Actuator, continueAfter, type StepResult } from '../../../shared/lifecycle/actuator.ts'
import { NotYetError } from '../../../terraform-free-infra/aws/dns/rate-limit.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'
import { checkRecord } from './check.ts'
import { createConnect, type DnsRecordDeps } from './connect.ts'
import { forceRemoveRecord } from './force-remove.ts'
import { reconcileRecord } from './reconcile.ts'
import { removeRecord } from './remove.ts'

/**
 * DNSRecords of type `aws-route53` (docs/contract/kinds.md#dnsrecord and docs/contract/provider-aws.md#dnsrecord).
 * Restoring is reconciling, migrating leaves the record where it is: the lifecycle's defaults.
 * Make one per process: it keeps the rate limits and the sessions of workload identities.
 */
export const dnsRecordActuator = (deps: DnsRecordDeps): Actuator<DNSRecord> => {
  const connect = createConnect(deps)
  return {
    check: checkRecord,
    reconcile: step => outcomeOf(reconcileRecord(connect, step), deps),
    remove: step => outcomeOf(removeRecord(connect, step), deps),
    forceRemove: step => outcomeOf(forceRemoveRecord(connect, step), deps),
  }
}

/** Waiting for its turn is no failure of a record: gardenlet counts an error, and a user would look for its cause. */
const outcomeOf = (result: Promise<StepResult>, { settings }: DnsRecordDeps): Promise<StepResult> =>
  result.catch((error: unknown) => {
    if (!(error instanceof NotYetError)) throw withCodes(error)
    const seconds = Math.ceil(error.afterMs / 1000)
    return continueAfter(
      error.afterMs,
      1,
      `Waiting about ${seconds} s for its turn at Route 53: ${error.ahead} calls with the same credentials come first, at ${settings.clientQps} per second`,
    )
  })
