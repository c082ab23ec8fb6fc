import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { markTag, objectTag } from '../../../../terraform-free-infra/aws/account/tags/mark-tag.ts'
import type { DesiredBastion } from './desired.ts'
import type { ObservedGroup } from './ec2.ts'
import type { ObservedBastion } from './observe.ts'
import type { BastionNetwork } from './plan.ts'
import { type Uncertainty, uncertain } from './uncertainty.ts'

/** Facts that decide if a missing part may exist nevertheless. */
export interface NetworkAge {
  readonly region: string
  /** True if the Infrastructure has changed so recently that EC2 may not show all of its parts. */
  readonly isNetworkYoung: boolean
  /** True if this Bastion may have created its group so recently that EC2 may not show its tags. */
  readonly isGroupYoung: boolean
}

/**
 * Returns the network for the bastion, or the reason to wait for it. Throws a `CodedError` that names missing or
 * conflicting parts of the infrastructure.
 */
export const networkOf = (
  { names }: DesiredBastion,
  observed: ObservedBastion,
  { region, isNetworkYoung, isGroupYoung }: NetworkAge,
): BastionNetwork | Uncertainty => {
  const { subnet, workerGroup, vpcIds, namesake, group } = observed
  if (subnet === undefined) {
    if (vpcIds.length > 1)
      throw configurationProblem(
        `several VPCs have a subnet ${names.subnet}: ${vpcIds.join(', ')}. Set status.providerStatus.vpc.id in the Infrastructure of the shoot to the right one`,
      )
    if (isNetworkYoung)
      return uncertain('network', `EC2 shows the subnet ${names.subnet} of the Infrastructure`)
    throw configurationProblem(
      `found no subnet ${names.subnet} in ${region}${vpcIds.length === 0 ? '' : ' in the VPC of the shoot'}. Reconcile the Infrastructure. A shoot in subnets of the user has no such subnet and does not support bastions`,
    )
  }
  if (workerGroup === undefined) {
    if (isNetworkYoung)
      return uncertain('network', `EC2 shows the security group ${names.workerGroup} of the Infrastructure`)
    throw configurationProblem(
      `found no security group ${names.workerGroup} in ${subnet.vpcId}. Reconcile the Infrastructure. A shoot with nodesSecurityGroupID has no such group and does not support bastions`,
    )
  }
  if (group === undefined && namesake !== undefined) {
    if (isGroupYoung && !hasOwner(namesake.item))
      return uncertain(
        'group',
        `EC2 shows the tags of the security group ${names.group} (${namesake.item.id})`,
      )
    throw configurationProblem(
      `the security group ${names.group} (${namesake.item.id}) already exists: ${namesake.why}. Delete it, or rename the Bastion`,
    )
  }
  return { subnet, workerGroup }
}

/** Returns true if its tags name a Bastion. */
const hasOwner = ({ tags }: ObservedGroup): boolean =>
  tags[markTag] !== undefined || tags[objectTag] !== undefined
