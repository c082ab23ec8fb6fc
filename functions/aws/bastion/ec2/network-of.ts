import { CodedError } from '../../../../shared/contract/errors.ts'
import type { DesiredBastion } from './desired.ts'
import type { ObservedBastion } from './observe.ts'
import type { BastionNetwork } from './plan.ts'

/**
 * Returns the network for the bastion. Throws a `CodedError` that names missing or conflicting parts of the
 * infrastructure.
 */
export const networkOf = (
  { names }: DesiredBastion,
  observed: ObservedBastion,
  region: string,
): BastionNetwork => {
  const { subnet, workerGroup, vpcIds, left, group } = observed
  if (subnet === undefined) {
    if (vpcIds.length > 1)
      throw problem(
        `several VPCs have a subnet ${names.subnet}: ${vpcIds.join(', ')}; the Infrastructure of the shoot has to say in status.providerStatus.vpc.id which of them is its`,
      )
    throw problem(
      `there is no subnet ${names.subnet} in ${region}${vpcIds.length === 0 ? '' : ' in the VPC of the shoot'}: reconcile the Infrastructure; a shoot in subnets of the user has none of this name and can have no bastion`,
    )
  }
  if (workerGroup === undefined)
    throw problem(
      `there is no security group ${names.workerGroup} in ${subnet.vpcId}: reconcile the Infrastructure; a shoot with nodesSecurityGroupID has none of this name and can have no bastion`,
    )
  const inTheWay = left.find(({ what, vpcId }) => what === 'security group' && vpcId === subnet.vpcId)
  if (group === undefined && inTheWay !== undefined)
    throw problem(
      `the security group ${names.group} (${inTheWay.id}) is in the way: ${inTheWay.why}; delete it, or give the Bastion another name`,
    )
  return { subnet, workerGroup }
}

const problem = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
