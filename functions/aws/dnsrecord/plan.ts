import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { type AwsPlanInput, refuseWrites } from '../provider/aws-plan-input.ts'
import { checkRecord, requestOf } from './actuator.ts'
import { createDns, type RecordPlan } from './route53/dns.ts'

export type { RecordAction, RecordPlan } from './route53/dns.ts'

/**
 * Returns the changes that the next step of the function would make in Route 53, from the same reads and checks. Reads
 * only. Throws the errors that the step would throw before its first change.
 */
export const planDnsRecord = async ({
  connection,
  clock,
  destroy = false,
  ...input
}: AwsPlanInput<DNSRecord>): Promise<RecordPlan> => {
  try {
    if (!destroy) await checkRecord(input)
    const dns = createDns({ connection, clock })
    return await dns.plan(requestOf({ ...input, throwIfExpired: refuseWrites }), { destroy })
  } catch (error) {
    throw withCodes(error)
  }
}
