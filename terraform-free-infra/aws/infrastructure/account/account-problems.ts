import { DescribeSecurityGroupsCommand, type SecurityGroup, type Subnet } from '@aws-sdk/client-ec2'
import { DescribeFileSystemsCommand } from '@aws-sdk/client-efs'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { overlaps, parseCidr } from '../../../cloud/cidr.ts'
import { isDeleted } from '../../../engine/engine.ts'
import { consistentAfterMs } from '../../account/consistent-after.ts'
import { hasOwnSubnets, zonePath } from '../config/problems/zone-problems.ts'
import { takenRange } from '../network/subnets/free-range.ts'
import { subnetWhat } from '../network/subnets/subnet.ts'
import { isTargetOf } from '../storage/efs-reads.ts'
import { allSubnetKinds, clusterTag, isMarked, isOurs, readTags } from '../tags.ts'
import { ifFound } from '../with-error-codes.ts'
import type { AccountInput } from './account-input.ts'
import { addressProblems } from './address-problems.ts'
import { ownSubnetProblems } from './own-subnet-problems.ts'
import { vpcProblems } from './vpc-problems.ts'

/**
 * Returns the problems of the user's resources in the config (docs/contract/provider-aws.md#checks-in-the-account).
 * Costs at most one read per resource type besides those of the plan, for any number of zones. A VPC and addresses that
 * are created cost no read.
 */
export const accountProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const [vpc, ...others] = await Promise.all([
    vpcProblems(input),
    ownSubnetProblems(input),
    securityGroupProblems(input),
    taggedSubnetProblems(input),
    takenRangeProblems(input),
    addressProblems(input),
    fileSystemProblems(input),
  ])
  return [...vpc, ...others.flat()]
}

/**
 * The cloud controller of a shoot needs a subnet. If none is created for load balancers, the user must tag one
 * (docs/contract/provider-aws.md#a-public-subnet).
 */
const taggedSubnetProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { reads, read, config } = input
  const { vpc, zones } = config.networks
  if (vpc.id === undefined || hasOwnSubnets(config)) return []
  if (zones.some(zone => zone.public !== undefined)) return []
  const tagged = (await read(reads.subnets))
    .map(({ Tags }) => readTags(Tags))
    .filter(tags => tags['kubernetes.io/role/elb'] === '1' && tags[clusterTag(input)] !== undefined)
  return when(tagged.length === 0, {
    path: 'networks.zones',
    message: `expected a public subnet: set the CIDR public of a zone, or tag a subnet of ${vpc.id} with kubernetes.io/role/elb=1 and ${clusterTag(input)}=1`,
  })
}

/**
 * Returns the problems of the user's security group for the nodes
 * (docs/contract/provider-aws.md#security-group-of-the-user).
 */
const securityGroupProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { cloud, reads, read, config } = input
  const { nodesSecurityGroupID: id, vpc } = config.networks
  if (id === undefined || vpc.id === undefined) return []
  const path = 'networks.nodesSecurityGroupID'
  const inVpc = (await read(reads.securityGroups)).find(({ GroupId }) => GroupId === id)
  // A group outside the VPC. The problem says where it is.
  const group = inVpc ?? (await groupWithId(input, id))
  if (group === undefined)
    return [
      { path, message: `expected a security group of the account in ${cloud.region}, found no ${id} there` },
    ]
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

/**
 * Returns the ranges that conflict with subnets of others in the VPC, which may also be one that was created for the
 * shoot. AWS would refuse ours without naming the owner. Checks only missing subnets.
 */
const takenRangeProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { reads, read, config, state, now, isMissing } = input
  const { zones } = config.networks
  if (hasOwnSubnets(config)) return []
  const wanted = zones.flatMap((zone, index) =>
    allSubnetKinds.flatMap(kind => {
      const cidr = isMissing(zone.name, kind) ? parseCidr(zone[kind] ?? '') : undefined
      return cidr === undefined ? [] : [{ path: zonePath(index, kind), zone: zone.name, cidr }]
    }),
  )
  if (wanted.length === 0) return []
  const known = new Set(Object.values(state))
  const [subnets, tagsProve] = await Promise.all([read(reads.subnets), read(reads.tagsProve)])
  const proof = { ...input.desired, tagsProve }
  // A subnet that is missing in the state is adopted if it is exactly the desired one.
  const isTaken = ({ AvailabilityZone, CidrBlock = '', Tags, SubnetId = '' }: Subnet): boolean =>
    isOurs(proof, known, SubnetId, Tags) &&
    (known.has(SubnetId) ||
      isMarked(proof, Tags) ||
      wanted.some(({ zone, cidr }) => zone === AvailabilityZone && cidr.text === CidrBlock))
  const moment = { now, shownWithinMs: consistentAfterMs }
  const others = subnets.flatMap(subnet => {
    const isGone = isDeleted(state, subnetWhat, subnet.SubnetId ?? '', moment)
    const cidr = isGone || isTaken(subnet) ? undefined : parseCidr(subnet.CidrBlock ?? '')
    return cidr === undefined ? [] : [{ id: subnet.SubnetId, vpc: subnet.VpcId ?? '', cidr }]
  })
  return wanted.flatMap(({ path, cidr }) =>
    others
      .filter(other => overlaps(other.cidr, cidr))
      .map(({ id, vpc, cidr: { text } }) => ({
        path,
        message: takenRange(vpc, cidr.text, { id, cidr: text }),
      })),
  )
}

const path = 'elasticFileSystem.id'

/** Returns the problems of the user's file system. One with recorded mount targets is not read again. */
const fileSystemProblems = async ({
  cloud,
  signal,
  state,
  desired,
}: AccountInput): Promise<readonly Problem[]> => {
  const id = desired.fileSystem?.id
  if (id === undefined || Object.keys(state).some(key => isTargetOf(key, id))) return []
  const command = new DescribeFileSystemsCommand({ FileSystemId: id })
  const answer = await ifFound(cloud.efs.send(command, { abortSignal: signal }))
  const found = answer?.FileSystems?.find(({ FileSystemId }) => FileSystemId === id)
  if (found === undefined)
    return [
      {
        path,
        message: `expected an EFS file system of the account in ${cloud.region}, found no ${id} there`,
      },
    ]
  const { LifeCycleState = 'available' } = found
  return ['deleting', 'deleted', 'error'].includes(LifeCycleState)
    ? [{ path, message: `expected a usable EFS file system, found ${id} in state ${LifeCycleState}` }]
    : []
}
