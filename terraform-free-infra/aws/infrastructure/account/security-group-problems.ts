import { DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/contract/problems.ts'
import type { AccountInput } from './account-problems.ts'

/** The user's security group for the nodes (contract, provider-aws §2.3 rule 7). */
export const securityGroupProblems = async ({
  cloud,
  signal,
  config: { networks },
}: AccountInput): Promise<readonly Problem[]> => {
  const { nodesSecurityGroupID: id, vpc } = networks
  if (id === undefined || vpc.id === undefined) return []
  const path = 'networks.nodesSecurityGroupID'
  const filter = { Name: 'group-id', Values: [id] }
  const { SecurityGroups = [] } = await cloud.ec2.send(
    new DescribeSecurityGroupsCommand({ Filters: [filter] }),
    { abortSignal: signal },
  )
  const group = SecurityGroups[0]
  if (group === undefined) {
    return [
      { path, message: `expected a security group of the account in ${cloud.region}, found no ${id} there` },
    ]
  }
  return group.VpcId === vpc.id
    ? []
    : [{ path, message: `expected a security group of ${vpc.id}, found ${id}, which is in ${group.VpcId}` }]
}
