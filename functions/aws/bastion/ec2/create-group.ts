import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { BastionEc2, ObservedGroup } from './ec2.ts'
import { mayHaveHappened } from './may-have-happened.ts'
import type { NewGroup } from './plan.ts'
import type { BastionStateWriter } from './state.ts'

/**
 * Creates the group of a Bastion and reads it, because the initial rules of a group depend on its VPC. Records the call
 * before it is sent, and the id after it. Returns undefined while EC2 does not show the group.
 */
export const createGroup = async (
  ec2: BastionEc2,
  group: NewGroup,
  state: BastionStateWriter,
  now: () => number,
): Promise<ObservedGroup | undefined> => {
  const { group: before } = state.current()
  const { vpcId } = group
  await state.save({ group: { vpcId, since: now() } })
  const id = await ec2.createGroup(group).catch(async (error: unknown) => {
    // The duplicate may be of an earlier call: the SDK repeats one without a response.
    if (!mayHaveHappened(error) && !isRefusal(error, duplicate)) await state.save({ group: before })
    throw error
  })
  state.change({ group: { id, vpcId, since: now() } })
  return ec2.groupOf(id)
}

/** A group with this name exists in the VPC. */
export const duplicate = 'InvalidGroup.Duplicate'
