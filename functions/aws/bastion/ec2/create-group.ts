import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { BastionEc2, ObservedGroup } from './ec2.ts'
import { mayHaveHappened } from './may-have-happened.ts'
import type { NewGroup } from './plan.ts'
import type { StateWriter } from './state.ts'

/**
 * Creates the group of a Bastion and reads it, because the initial rules of a group depend on its VPC. Records the call
 * before it is sent, and the id after it. Returns undefined while EC2 does not show the group.
 *
 * A group with this name may exist: the SDK repeated a call after a lost response, or EC2 did not list the group of an
 * earlier step or of a predecessor. The next step finds out whose it is.
 */
export const createGroup = async (
  ec2: BastionEc2,
  group: NewGroup,
  state: StateWriter,
  now: () => number,
): Promise<ObservedGroup | undefined> => {
  const { group: before } = state.current()
  const { vpcId } = group
  await state.save({ group: { vpcId, since: now() } })
  const id = await ec2.createGroup(group).catch(async (error: unknown) => {
    if (isRefusal(error, 'InvalidGroup.Duplicate')) return undefined
    if (!mayHaveHappened(error)) await state.save({ group: before })
    throw error
  })
  if (id === undefined) return undefined
  state.change({ group: { id, vpcId, since: now() } })
  return ec2.groupOf(id)
}
