import type { Clock } from '../../../shared/clock/clock.ts'
import { annotations, defaultRecordTtlSeconds } from '../../../shared/contract/constants.ts'
import { dnsRecordProblems } from '../../../shared/contract/dns-record-problems.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  continueAfter,
  done,
  type Secret,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { forceRemoveRecord, recordOrphans } from './force-remove.ts'
import {
  checkSecret,
  createDns,
  type Dns,
  type IpStack,
  NotYetError,
  type RecordRequest,
  zoneProblems,
} from './route53/dns.ts'

export interface DnsRecordDeps {
  readonly connection: AwsConnection
  readonly clock: Clock
}

/**
 * Reconciles DNSRecords of type `aws-route53` (docs/contract/kinds.md#dnsrecord and
 * docs/contract/provider-aws.md#dnsrecord). Uses the lifecycle's defaults: restore reconciles, migrate retains the
 * record. Create one per process: it holds the rate limits and the sessions of workload identities.
 */
export const dnsRecordActuator = (deps: DnsRecordDeps): Actuator<DNSRecord> => {
  const dns = createDns(deps)
  const remove = (step: StepContext<DNSRecord>) => removeRecord(dns, step)
  return {
    check: checkRecord,
    reconcile: step => outcomeOf(reconcileRecord(dns, step)),
    remove: step => outcomeOf(remove(step)),
    forceRemove: step => outcomeOf(forceRemoveRecord(remove, step)),
    orphans: ({ object }) => recordOrphans(object),
  }
}

/** Checks a record and its Secret before any call to AWS. Throws a `CodedError`. */
export const checkRecord = async ({
  object,
  secret,
}: {
  readonly object: DNSRecord
  readonly secret: Secret | undefined
}): Promise<void> => {
  const problems = [...dnsRecordProblems(object), ...zoneProblems(object.spec.zone)]
  if (problems.length > 0) {
    throw new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  }
  if (secret !== undefined) await checkSecret(secret)
}

export const requestOf = ({
  object: { metadata, spec, status },
  secret,
  signal,
  throwIfExpired,
  resumed = false,
}: Pick<
  StepContext<DNSRecord>,
  'object' | 'secret' | 'signal' | 'throwIfExpired' | 'resumed'
>): RecordRequest => ({
  desired: {
    name: spec.name,
    type: spec.recordType,
    values: spec.values,
    ttl: spec.ttl ?? defaultRecordTtlSeconds,
    ipStack: ipStackOf(metadata.annotations?.[annotations.ipStack]),
  },
  zones: { spec: spec.zone, status: status?.zone },
  // Another object with the same name waits in its own queue.
  key: metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`,
  region: spec.region,
  complete:
    status?.zone !== undefined &&
    !status.lastError &&
    status.observedGeneration !== undefined &&
    status.observedGeneration === metadata.generation,
  secret,
  signal,
  throwIfExpired,
  resumed,
})

/** Any other value means IPv4, as in the Go extension. */
const ipStackOf = (annotation: string | undefined): IpStack =>
  annotation === 'ipv6' || annotation === 'dual-stack' ? annotation : 'ipv4'

const reconcileRecord = async (dns: Dns, step: StepContext<DNSRecord>): Promise<StepResult> => {
  const { zone, changes } = await dns.reconcile(requestOf(step))
  if (changes.length > 0) {
    step.log.info('dns records changed', { zone, changes: changes.map(change => change.sentence) })
  }
  return done({ zone })
}

/** A missing record or a missing zone counts as success. */
const removeRecord = async (dns: Dns, step: StepContext<DNSRecord>): Promise<StepResult> => {
  const { log, object } = step
  const record = object.spec.name
  const removed = await dns.remove(requestOf(step))
  switch (removed.kind) {
    case 'no zone':
      log.warn('no hosted zone contains the record; nothing to delete', { record })
      break
    case 'zone gone':
      log.warn('hosted zone no longer exists; nothing to delete', { record, zone: removed.zone })
      break
    case 'removed':
      if (removed.changes.length === 0) break
      log.info('dns records deleted', {
        zone: removed.zone,
        changes: removed.changes.map(change => change.sentence),
      })
  }
  return done()
}

/**
 * Waiting for the rate limit is not a failure of a record: gardenlet counts errors, and a user would look for the
 * cause.
 */
const outcomeOf = (result: Promise<StepResult>): Promise<StepResult> =>
  result.catch((error: unknown) => {
    if (!(error instanceof NotYetError)) throw withCodes(error)
    const seconds = Math.ceil(error.afterMs / 1000)
    return continueAfter(
      error.afterMs,
      1,
      `Waiting about ${seconds} s for its turn at Route 53: ${reasonOf(error)}`,
    )
  })

const reasonOf = ({ ahead, perSecond, isThrottled }: NotYetError): string => {
  const rate = `this process makes ${Number(perSecond.toPrecision(2))} calls per second`
  return `${ahead} other calls are first, and ${rate}${isThrottled ? ', because AWS throttles the account' : ''}`
}
