import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkRecord, requestOf } from './actuator.ts'
import { createDns, type RecordPlan } from './route53/dns.ts'

export type { RecordAction, RecordPlan } from './route53/dns.ts'

/**
 * Returns the changes that the next step of the function would make in Route 53, from the same reads and checks. Reads
 * only. Throws the errors that the step would throw before its first change.
 */
export const planDnsRecord = (input: CloudPlanInput<DNSRecord, AwsConnection>): Promise<RecordPlan> =>
  coded(planOf(input))

const planOf = async ({
  connection,
  clock,
  destroy = false,
  ...input
}: CloudPlanInput<DNSRecord, AwsConnection>): Promise<RecordPlan> => {
  if (!destroy) await checkRecord(input)
  const dns = createDns({ connection, clock })
  return dns.plan(requestOf({ ...input, throwIfExpired: refuseWrites }), { destroy })
}
