import type { Clock } from '../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/client/client-settings.ts'
import { sameName } from '../../../terraform-free-infra/aws/dns/names.ts'
import {
  type PlannedChange,
  planRecord,
  planRemoval,
  windowFor,
} from '../../../terraform-free-infra/aws/dns/plan.ts'
import type { RecordSet } from '../../../terraform-free-infra/aws/dns/route53.ts'
import { isMissingZone, zoneError } from '../../../terraform-free-infra/aws/dns/zone-error.ts'
import { AwsError } from '../../../terraform-free-infra/aws/errors/aws-error.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'
import { checkRecord } from './check.ts'
import { createConnect } from './connect.ts'
import { desiredRecord } from './desired-record.ts'
import { dnsRecordSettings } from './settings.ts'
import { listedZone, namedZone, noZone } from './zone.ts'

export interface PlanRecordInput {
  readonly object: DNSRecord
  readonly secret: Secret
  readonly connection: AwsConnection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What deleting would do, instead of reconciling. */
  readonly destroy?: boolean
}

/** A change of Route 53, and what it replaces. */
export interface RecordAction extends PlannedChange {
  /** What is there now; undefined: nothing. */
  readonly present: RecordSet | undefined
}

export interface RecordPlan {
  /** The hosted zone; undefined: there is none, and of a deletion nothing is left to do. */
  readonly zone: string | undefined
  readonly actions: readonly RecordAction[]
}

/**
 * What the next step of the function would change in Route 53 for a record, of the same reads and the same checks. Reads
 * and changes nothing; throws what the step would throw before it does something.
 */
export const planDnsRecord = async (input: PlanRecordInput): Promise<RecordPlan> => {
  try {
    if (!input.destroy) await checkRecord(input)
    return await lookAndPlan(input)
  } catch (error) {
    throw withCodes(error)
  }
}

const lookAndPlan = async ({
  object,
  secret,
  connection,
  clock,
  signal,
  destroy = false,
}: PlanRecordInput): Promise<RecordPlan> => {
  const connect = createConnect({ connection, settings: dnsRecordSettings.parse({}), clock })
  const { route53, run } = await connect({ object, secret, signal, throwIfExpired: refuse })
  const zone =
    namedZone(object) ??
    (await run(`choosing the hosted zone of ${object.spec.name}`, () => listedZone(object, route53, signal)))
  if (zone === undefined) {
    if (destroy) return { zone: undefined, actions: [] }
    throw noZone(object)
  }
  const record = desiredRecord(object)
  try {
    const observed = await run(
      `reading the records of ${record.name} in hosted zone ${zone.id}`,
      () => route53.listRecordSets(zone.id, windowFor(record), signal),
      error => (destroy ? undefined : zoneError(error, zone.origin)),
    )
    const changes = (destroy ? planRemoval : planRecord)(record, observed)
    return {
      zone: zone.id,
      actions: changes.map(change => ({ ...change, present: presentOf(change, observed) })),
    }
  } catch (error) {
    // A zone takes its records along.
    if (destroy && error instanceof AwsError && isMissingZone(error)) return { zone: undefined, actions: [] }
    throw error
  }
}

const presentOf = ({ set }: PlannedChange, observed: readonly RecordSet[]): RecordSet | undefined =>
  observed.find(
    ({ type, name, setIdentifier }) =>
      type === set.type && setIdentifier === undefined && sameName(name, set.name),
  )

const refuse = (): never => {
  throw new Error('a plan changes nothing')
}
