import { DescribeSecurityGroupsCommand, type SecurityGroup } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/decode/problems.ts'
import type { AccountInput } from './account-input.ts'

/**
 * Returns the problems of the user's security group for the nodes
 * (docs/contract/provider-aws.md#security-group-of-the-user).
 */
export const securityGroupProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { cloud, reads, read, config } = input
  const { nodesSecurityGroupID: id, vpc } = config.networks
  if (id === undefined || vpc.id === undefined) return []
  const path = 'networks.nodesSecurityGroupID'
  const inVpc = (await read(reads.securityGroups)).find(({ GroupId }) => GroupId === id)
  // A group outside the VPC. The problem says where it is.
  const group = inVpc ?? (await groupWithId(input, id))
  if (group === undefined) {
    return [
      { path, message: `expected a security group of the account in ${cloud.region}, found no ${id} there` },
    ]
  }
  return group.VpcId === vpc.id
    ? []
    : [{ path, message: `expected a security group of ${vpc.id}, found ${id}, which is in ${group.VpcId}` }]
}

const groupWithId = async (
  { cloud, signal }: AccountInput,
  id: string,
): Promise<SecurityGroup | undefined> => {
  const filter = { Name: 'group-id', Values: [id] }
  const { SecurityGroups = [] } = await cloud.ec2.send(
    new DescribeSecurityGroupsCommand({ Filters: [filter] }),
    { abortSignal: signal },
  )
  return SecurityGroups[0]
}
