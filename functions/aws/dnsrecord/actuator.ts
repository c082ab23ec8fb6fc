import type { Clock } from '../../../shared/clock/clock.ts'
import type { ConditionUpdates } from '../../../shared/contract/conditions.ts'
import { annotations, defaultRecordTtlSeconds } from '../../../shared/contract/constants.ts'
import { dnsRecordProblems } from '../../../shared/contract/dns-record-problems.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import { forceRemoveRecord } from '../../../shared/dns-record/force-remove.ts'
import {
  type Actuator,
  continueAfter,
  done,
  type Secret,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { leftIn, recordLeft, recordOrphans } from './force-remove.ts'
import {
  checkSecret,
  createDns,
  type Dns,
  type HostedZone,
  type IpStack,
  NotYetError,
  type RecordReconciled,
  type RecordRequest,
  recordedIn,
  stateOf,
  type ZoneRemoval,
  zoneProblems,
} from './route53/dns.ts'

export interface DnsRecordDeps {
  readonly connection: AwsConnection
  readonly clock: Clock
}

/**
 * Reconciles DNSRecords of type `aws-route53` (docs/contract/kinds.md#dnsrecord and
 * docs/contract/provider-aws.md#dnsrecord). A restore reconciles. Create one per process: it holds the rate limits and
 * the sessions of workload identities.
 */
export const dnsRecordActuator = (deps: DnsRecordDeps): Actuator<DNSRecord> => {
  const dns = createDns(deps)
  const remove = (step: StepContext<DNSRecord>) => removeRecord(dns, step)
  return {
    check: checkRecord,
    reconcile: step => outcomeOf(reconcileRecord(dns, step)),
    remove: step => outcomeOf(remove(step).then(doneUnlessFailed)),
    forceRemove: step =>
      outcomeOf(
        forceRemoveRecord(step, async parsed => leftIn(parsed.object.spec, await remove(parsed)), withCodes),
      ),
    orphans: ({ object }) => recordOrphans(object),
    migrate: migrateRecord,
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
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
  if (secret !== undefined) await checkSecret(secret)
}

export const requestOf = ({
  object: { metadata, spec, status },
  operation,
  secret,
  signal,
  throwIfExpired,
  saveStatus,
}: Pick<StepContext<DNSRecord>, 'object' | 'secret' | 'signal' | 'throwIfExpired'> &
  Partial<Pick<StepContext, 'operation' | 'saveStatus'>>): RecordRequest => ({
  desired: {
    name: spec.name,
    type: spec.recordType,
    values: spec.values,
    ttl: spec.ttl ?? defaultRecordTtlSeconds,
    ipStack: ipStackOf(metadata.annotations?.[annotations.ipStack]),
  },
  zones: { spec: spec.zone, status: status?.zone, recorded: recordedIn(status?.state) },
  region: spec.region,
  complete:
    status?.zone !== undefined &&
    !status.lastError &&
    status.observedGeneration !== undefined &&
    status.observedGeneration === metadata.generation,
  isRestored: operation === 'Restore',
  secret,
  signal,
  throwIfExpired,
  ...(saveStatus && { saveZones: zones => saveStatus({ state: stateOf(zones) }) }),
})

/** Any other value means IPv4, as in the Go extension. */
const ipStackOf = (annotation: string | undefined): IpStack =>
  annotation === 'ipv6' || annotation === 'dual-stack' ? annotation : 'ipv4'

const reconcileRecord = async (dns: Dns, step: StepContext<DNSRecord>): Promise<StepResult> => {
  const { zone, among, changes, former } = await dns.reconcile(requestOf(step))
  const removed = former.flatMap(removal => (removal.kind === 'removed' ? removal.changes : []))
  if (changes.length + removed.length > 0)
    step.log.info('dns records changed', { zone, changes: sentencesOf([...changes, ...removed]) })
  return {
    kind: 'done',
    status: { zone, state: stateOf([zone]) },
    conditions: zoneConditions(step, { zone, among, changes, former }),
  }
}

/** Exists while the zone was chosen from several of the same name. */
const severalZones = 'SeveralHostedZones'
/** Exists after a success that left a record in a zone of another account. */
const leftAlone = 'ResourcesLeftAlone'

/** The most zones that are named. The rest are only counted. */
const mostNamed = 10

/**
 * Logs what a user should know about the zones of a record, and returns it as conditions. gardenlet ignores types that
 * it does not know. A choice stays visible until `spec.zone` makes another one unnecessary.
 */
const zoneConditions = (
  { object, log }: Pick<StepContext<DNSRecord>, 'object' | 'log'>,
  { zone, among, former }: RecordReconciled,
): ConditionUpdates => {
  const record = object.spec.name
  const left = former.filter(({ kind }) => kind === 'zone of others').map(removal => removal.zone)
  if (left.length > 0) log.warn(recordLeft, { record, zones: left })
  if (among.length > 1)
    log.warn('several hosted zones have the same name; set spec.zone to choose another one', {
      record,
      zone,
      among: among.map(zonePhrase),
    })
  const more = among.length - mostNamed
  const names = [...among.slice(0, mostNamed).map(zonePhrase), ...(more > 0 ? [`${more} more`] : [])].join(
    ', ',
  )
  return {
    [leftAlone]:
      left.length === 0
        ? undefined
        : {
            status: 'True',
            reason: 'ZoneOfOtherAccount',
            message: `${record} may still exist in hosted zone ${left.join(', ')}, which is not in the account of these credentials. Delete it there.`,
          },
    ...(among.length > 1 && {
      [severalZones]: {
        status: 'True',
        reason: 'ChosenByRule',
        message: `${record} is in hosted zone ${zone}. The account has ${among.length} zones of this name: ${names}. Set spec.zone to choose another one.`,
      },
    }),
    ...(object.spec.zone !== undefined && { [severalZones]: undefined }),
  }
}

const zonePhrase = ({ id, isPrivate }: HostedZone): string => `${id} (${isPrivate ? 'private' : 'public'})`

/** Removes the record from its zones. A missing record or a missing zone counts as success. */
const removeRecord = async (dns: Dns, step: StepContext<DNSRecord>): Promise<readonly ZoneRemoval[]> => {
  const { log, object } = step
  const record = object.spec.name
  const removals = await dns.remove(requestOf(step))
  if (removals.length === 0) log.warn('no hosted zone contains the record; nothing to delete', { record })
  for (const removal of removals) {
    const { zone, kind } = removal
    if (kind === 'zone gone') log.warn('hosted zone no longer exists; nothing to delete', { record, zone })
    if (kind === 'zone of others') log.warn(recordLeft, { record, zones: [zone] })
    if (kind === 'removed' && removal.changes.length > 0)
      log.info('dns records deleted', { zone, changes: sentencesOf(removal.changes) })
  }
  return removals
}

const doneUnlessFailed = (removals: readonly ZoneRemoval[]): StepResult => {
  for (const removal of removals) if (removal.kind === 'failed') throw removal.error
  return done()
}

const sentencesOf = (changes: readonly { readonly sentence: string }[]): readonly string[] =>
  changes.map(({ sentence }) => sentence)

/** Retains what other seeds need to know, also for objects of earlier versions. */
const migrateRecord = async ({ object }: StepContext<DNSRecord>): Promise<StepResult> => {
  const { zone, state } = object.status ?? {}
  return zone === undefined || recordedIn(state) !== undefined ? done() : done({ state: stateOf([zone]) })
}

/**
 * Waiting for the rate limit is not a failure of a record: gardenlet counts errors, and a user would look for the
 * cause.
 */
const outcomeOf = (result: Promise<StepResult>): Promise<StepResult> =>
  result.catch((error: unknown) => {
    if (!(error instanceof NotYetError)) throw withCodes(error)
    return continueAfter(error.afterMs, 1, error.message)
  })
