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
        `several VPCs have a subnet ${names.subnet}: ${vpcIds.join(', ')}. Set status.providerStatus.vpc.id in the Infrastructure of the shoot to the right one`,
      )
    throw problem(
      `found no subnet ${names.subnet} in ${region}${vpcIds.length === 0 ? '' : ' in the VPC of the shoot'}. Reconcile the Infrastructure. A shoot in subnets of the user has no such subnet and does not support bastions`,
    )
  }
  if (workerGroup === undefined)
    throw problem(
      `found no security group ${names.workerGroup} in ${subnet.vpcId}. Reconcile the Infrastructure. A shoot with nodesSecurityGroupID has no such group and does not support bastions`,
    )
  const inTheWay = left.find(({ what, vpcId }) => what === 'security group' && vpcId === subnet.vpcId)
  if (group === undefined && inTheWay !== undefined)
    throw problem(
      `the security group ${names.group} (${inTheWay.id}) already exists: ${inTheWay.why}. Delete it, or rename the Bastion`,
    )
  return { subnet, workerGroup }
}

const problem = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
