import type { IpPermission, UserIdGroupPair } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { formatCidr, parseCidr } from '../core/cidrs/cidr.ts'
import type { Ec2 } from '../core/context.ts'
import { invalidParameter, missingParameter } from '../core/refusals.ts'
import { prefixLists } from '../endpoints/service-catalogue.ts'
import type { Peer, SecurityGroup } from '../rows/network.ts'

/** A peer of a permission and its description. */
export interface DescribedPeer {
  readonly peer: Peer
  readonly description: string | undefined
}

const differentNetworks = () =>
  refuse('InvalidGroup.NotFound', 'You have specified two resources that belong to different networks.')

const groupPeer = (ec2: Ec2, group: SecurityGroup, pair: UserIdGroupPair): Peer => {
  const userId = pair.UserId ?? ec2.accountId
  if (pair.GroupId === undefined && pair.GroupName === undefined) throw missingParameter('groupId')
  const named = ec2.tables.securityGroups
    .by('group-name', pair.GroupName ?? '')
    .find(({ vpcId }) => vpcId === group.vpcId)
  const id = pair.GroupId ?? named?.id
  const found = id === undefined ? undefined : ec2.tables.securityGroups.get(id)
  if (!found || userId !== ec2.accountId) {
    throw refuse(
      'InvalidGroup.NotFound',
      `The security group '${pair.GroupId ?? pair.GroupName}' does not exist`,
    )
  }
  if (found.vpcId !== group.vpcId) throw differentNetworks()
  return { type: 'group', id: found.id, userId }
}

/** EC2 stores ranges in canonical form (`IpRange`, API reference). */
const rangePeer = (text: string | undefined, family: 4 | 6): Peer => {
  const range = parseCidr(text)
  if (range?.family !== family) {
    throw invalidParameter(family === 4 ? 'cidrIp' : 'cidrIpv6', text, 'CIDR block malformed')
  }
  return { type: family === 4 ? 'ipv4' : 'ipv6', cidr: formatCidr(range) }
}

const prefixListPeer = (ec2: Ec2, id: string | undefined): Peer => {
  if (id === undefined || !prefixLists(ec2.region).some(list => list.id === id)) {
    throw refuse('InvalidPrefixListID.NotFound', `The prefix list ID '${id}' does not exist`)
  }
  return { type: 'prefix-list', id }
}

/** Descriptions: "Security group rules", VPC user guide. */
const checkDescription = (description: string | undefined): string | undefined => {
  if (description !== undefined && !/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{0,255}$/.test(description)) {
    throw refuse(
      'InvalidParameterValue',
      'Invalid rule description. Valid descriptions are strings less than 256 characters from the following set:  a-zA-Z0-9. _-:/()#,@[]+=&;{}!$*',
    )
  }
  return description
}

/** Returns all peers of a permission. Each becomes a rule. */
export const peersOf = (
  ec2: Ec2,
  group: SecurityGroup,
  permission: IpPermission,
): readonly DescribedPeer[] => [
  ...(permission.IpRanges ?? []).map(({ CidrIp, Description }) => ({
    peer: rangePeer(CidrIp, 4),
    description: checkDescription(Description),
  })),
  ...(permission.Ipv6Ranges ?? []).map(({ CidrIpv6, Description }) => ({
    peer: rangePeer(CidrIpv6, 6),
    description: checkDescription(Description),
  })),
  ...(permission.PrefixListIds ?? []).map(({ PrefixListId, Description }) => ({
    peer: prefixListPeer(ec2, PrefixListId),
    description: checkDescription(Description),
  })),
  ...(permission.UserIdGroupPairs ?? []).map(pair => ({
    peer: groupPeer(ec2, group, pair),
    description: checkDescription(pair.Description),
  })),
]

/** A key that identifies a peer. */
export const peerKey = (peer: Peer): string => ('cidr' in peer ? peer.cidr : peer.id)
