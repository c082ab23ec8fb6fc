import type { Clock } from '../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkRecord, dnsOf, requestOf } from './actuator.ts'
import type { RecordPlan } from './route53/dns.ts'
import { dnsRecordSettings } from './settings.ts'

export type { RecordAction, RecordPlan } from './route53/dns.ts'

export interface PlanRecordInput {
  readonly object: DNSRecord
  readonly secret: Secret
  readonly connection: AwsConnection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Plans the deletion instead of reconciling. */
  readonly destroy?: boolean
}

/**
 * Returns the changes that the next step of the function would make in Route 53, from the same reads and checks. Reads
 * only. Throws the errors that the step would throw before its first change.
 */
export const planDnsRecord = async ({
  connection,
  clock,
  destroy = false,
  ...input
}: PlanRecordInput): Promise<RecordPlan> => {
  try {
    if (!destroy) await checkRecord(input)
    const dns = dnsOf({ connection, clock, settings: dnsRecordSettings.parse({}) })
    return await dns.plan(requestOf({ ...input, throwIfExpired: refuse }), { destroy })
  } catch (error) {
    throw withCodes(error)
  }
}

const refuse = (): never => {
  throw new Error('a plan must not change anything')
}
