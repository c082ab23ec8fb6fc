import type { Bastion, Cluster } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkBastion } from './actuator.ts'
import { type BastionPlan, createBastions } from './ec2/bastion.ts'
import { requestOf } from './request.ts'

export type { BastionAction } from './ec2/bastion.ts'

export interface BastionPlanInput extends CloudPlanInput<Bastion, AwsConnection> {
  readonly cluster: Cluster | undefined
}

/**
 * Returns the changes that the next steps of the function would make for a Bastion, from the same reads and checks.
 * Reads only. Throws the errors that a step would throw before its first change. Takes the VPC from the shoot's subnet
 * and reads no Infrastructure.
 */
export const planBastion = (input: BastionPlanInput): Promise<BastionPlan> => coded(planOf(input))

const planOf = async ({
  connection,
  clock,
  secret,
  destroy = false,
  ...input
}: BastionPlanInput): Promise<BastionPlan> => {
  if (!destroy) checkBastion(input.object)
  const begin = createBastions({ connection, clock })
  const beside = { secret, infrastructure: undefined }
  const step = { ...input, waited: undefined, throwIfExpired: refuseWrites, saveStatus: refuseWrites }
  return begin(requestOf(step, beside)).plan({ destroy })
}
