import type {
  Address,
  EgressOnlyInternetGateway,
  InternetGateway,
  NatGateway,
  NetworkInterface,
  RouteTable,
  SecurityGroup,
  Subnet,
  VpcEndpoint,
  VpnGateway,
} from '@aws-sdk/client-ec2'
import { isAssociated } from '../network/subnets/route-table.ts'
import { attachedTo } from '../network/vpc/home-vpc.ts'

/** One resource that blocks a removal. */
export interface Blocker {
  /** `network interface eni-1 (VPC endpoint vpce-1, requested by 123456789012)` */
  readonly text: string
  /** The user's next act, as an imperative. Undefined: it belongs to the shoot and disappears by itself. */
  readonly remedy: string | undefined
}

/** Returns true for the id of a resource of the shoot. */
export type IsOurs = (id: string) => boolean

/** Returns the interfaces that block the deletion of a subnet. */
export const blockersOfSubnet = (
  interfaces: readonly NetworkInterface[],
  id: string,
  isOurs: IsOurs,
): readonly Blocker[] =>
  interfaces.filter(({ SubnetId }) => SubnetId === id).map(one => interfaceBlocker(one, isOurs))

/** Returns the interfaces and the rules of other groups that block the deletion of a security group. */
export const blockersOfGroup = (
  interfaces: readonly NetworkInterface[],
  groups: readonly SecurityGroup[],
  id: string,
  isOurs: IsOurs,
): readonly Blocker[] => [
  ...interfaces
    .filter(({ Groups = [] }) => Groups.some(({ GroupId }) => GroupId === id))
    .map(one => interfaceBlocker(one, isOurs)),
  ...groups
    .filter(group => group.GroupId !== id && refersTo(group, id))
    .map(({ GroupId = '', GroupName = '' }) => ({
      text: `security group ${GroupId} (${shortened(GroupName)}), whose rules refer to it`,
      remedy: isOurs(GroupId) ? undefined : `Remove the rules of ${GroupId} that refer to ${id}`,
    })),
]

const refersTo = ({ IpPermissions = [], IpPermissionsEgress = [] }: SecurityGroup, id: string): boolean =>
  [...IpPermissions, ...IpPermissionsEgress].some(({ UserIdGroupPairs = [] }) =>
    UserIdGroupPairs.some(({ GroupId }) => GroupId === id),
  )

/** Returns the interfaces with public addresses. They block the detachment of an internet gateway. */
export const blockersOfInternetGateway = (
  interfaces: readonly NetworkInterface[],
  isOurs: IsOurs,
): readonly Blocker[] =>
  interfaces
    .filter(({ Association, PrivateIpAddresses = [] }) =>
      [Association, ...PrivateIpAddresses.map(address => address.Association)].some(
        association => association?.PublicIp !== undefined,
      ),
    )
    .map(one => interfaceBlocker(one, isOurs))

/** Returns the interface that blocks the release of an elastic address. It may be in another VPC. */
export const blockersOfAddress = (
  interfaces: readonly NetworkInterface[],
  addresses: readonly Address[],
  id: string,
  isOurs: IsOurs,
): readonly Blocker[] => {
  const holder = addresses.find(({ AllocationId }) => AllocationId === id)?.NetworkInterfaceId
  if (holder === undefined) return []
  const known = interfaces.find(({ NetworkInterfaceId }) => NetworkInterfaceId === holder)
  return [interfaceBlocker(known ?? { NetworkInterfaceId: holder }, isOurs)]
}

/** Returns the associations that block the deletion of a route table. */
export const blockersOfTable = (
  tables: readonly RouteTable[],
  id: string,
  isOurs: IsOurs,
): readonly Blocker[] =>
  tables
    .filter(({ RouteTableId }) => RouteTableId === id)
    .flatMap(({ Associations = [] }) => Associations.filter(isAssociated))
    .flatMap(({ SubnetId, GatewayId }) => {
      const user = SubnetId ?? GatewayId
      if (user === undefined) return []
      const noun = SubnetId === undefined ? 'gateway' : 'subnet'
      const remedy = isOurs(user) ? undefined : `Associate ${user} with another route table`
      return [{ text: `${noun} ${user}, which is associated with it`, remedy }]
    })

/** The resources of others in a VPC. */
export interface ForeignContents {
  readonly subnets: readonly Subnet[]
  readonly natGateways: readonly NatGateway[]
  readonly internetGateways: readonly InternetGateway[]
  readonly egressOnlyGateways: readonly EgressOnlyInternetGateway[]
  readonly vpnGateways: readonly VpnGateway[]
  readonly gatewayEndpoints: readonly VpcEndpoint[]
  readonly routeTables: readonly RouteTable[]
  readonly securityGroups: readonly SecurityGroup[]
}

/** Returns foreign resources that block the deletion of a VPC. AWS deletes its main route table and default group. */
export const blockersOfVpc = (contents: ForeignContents, id: string): readonly Blocker[] => {
  const inVpc = <T extends { readonly VpcId?: string | undefined }>(things: readonly T[]): readonly T[] =>
    things.filter(({ VpcId }) => VpcId === id)
  const named = (noun: string, ids: readonly (string | undefined)[], verb = 'Delete'): readonly Blocker[] =>
    ids.map(one => ({ text: `${noun} ${one}`, remedy: `${verb} ${one}` }))
  const subnets = inVpc(contents.subnets).map(({ SubnetId }) => SubnetId)
  const gateways = inVpc(contents.natGateways).filter(({ State }) => State !== 'deleted')
  const internet = contents.internetGateways.filter(gateway => attachedTo(gateway) === id)
  const egressOnly = contents.egressOnlyGateways.filter(gateway => attachedTo(gateway) === id)
  const vpn = contents.vpnGateways.filter(({ VpcAttachments = [] }) =>
    VpcAttachments.some(({ State, VpcId }) => VpcId === id && State !== 'detached'),
  )
  const tables = inVpc(contents.routeTables).filter(
    ({ Associations = [] }) => !Associations.some(({ Main }) => Main === true),
  )
  const groups = inVpc(contents.securityGroups).filter(({ GroupName }) => GroupName !== 'default')
  return [
    ...named('subnet', subnets),
    ...named(
      'NAT gateway',
      gateways.map(({ NatGatewayId }) => NatGatewayId),
    ),
    ...named(
      'internet gateway',
      internet.map(({ InternetGatewayId }) => InternetGatewayId),
      'Detach',
    ),
    ...named(
      'egress-only internet gateway',
      egressOnly.map(({ EgressOnlyInternetGatewayId }) => EgressOnlyInternetGatewayId),
    ),
    ...named(
      'VPN gateway',
      vpn.map(({ VpnGatewayId }) => VpnGatewayId),
      'Detach',
    ),
    ...named(
      'VPC endpoint',
      inVpc(contents.gatewayEndpoints).map(({ VpcEndpointId }) => VpcEndpointId),
    ),
    ...named(
      'route table',
      tables.map(({ RouteTableId }) => RouteTableId),
    ),
    ...groups.map(({ GroupId, GroupName = '' }) => ({
      text: `security group ${GroupId} (${shortened(GroupName)})`,
      remedy: `Delete ${GroupId}`,
    })),
  ]
}

const interfaceBlocker = (one: NetworkInterface, isOurs: IsOurs): Blocker => {
  const { NetworkInterfaceId: id = '', Attachment, RequesterId, Description = '', Groups = [] } = one
  const holder = holderOf(one)
  // Services name their groups after themselves: `GuardDutyManagedSecurityGroup-vpc-1`.
  const group = Groups.map(({ GroupName = '' }) => GroupName).sort()[0]
  const facts = [
    holder ? `${holder.noun} ${holder.id}` : Description && `"${shortened(Description)}"`,
    RequesterId && `requested by ${shortened(RequesterId)}`,
    group && `security group ${shortened(group)}`,
    holder === undefined &&
      Attachment?.InstanceOwnerId &&
      `attached by ${shortened(Attachment.InstanceOwnerId)}`,
  ].filter(fact => typeof fact === 'string' && fact !== '')
  return {
    text: `network interface ${id}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
    remedy: isOurs(holder?.id ?? id)
      ? undefined
      : holder
        ? `Delete the ${holder.noun} ${holder.id}`
        : `Delete ${id} or what uses it`,
  }
}

/** The resources that hold an interface, by their name in its description. */
const holders: readonly (readonly [RegExp, string])[] = [
  [/\bvpce-[\da-f]+/, 'VPC endpoint'],
  [/\bnat-[\da-f]+/, 'NAT gateway'],
  [/\bfsmt-[\da-f]+/, 'mount target'],
  [/(?<=^ELB )\S+/, 'load balancer'],
]

const holderOf = ({
  Attachment,
  Description = '',
}: NetworkInterface): { readonly noun: string; readonly id: string } | undefined => {
  if (Attachment?.InstanceId !== undefined) return { noun: 'instance', id: Attachment.InstanceId }
  for (const [name, noun] of holders) {
    const [id] = name.exec(Description) ?? []
    if (id !== undefined) return { noun, id: shortened(id) }
  }
  return undefined
}

/** The largest length of a text that others have written, in characters. */
const mostCharacters = 60

/** Returns a text of others without control characters, cut to a readable length. */
const shortened = (text: string): string => {
  const line = text.replace(/\p{C}/gu, ' ')
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line
}

/** The number of blockers that a sentence names. */
const mostNamed = 3

/** Returns what blocks the removal of a resource, and what to do, or undefined if nothing is known. */
export const sentenceOf = (id: string, blockers: readonly Blocker[]): string | undefined => {
  // Those that a user can remove come first.
  const all = blockers.toSorted((one, other) => Number(!one.remedy) - Number(!other.remedy))
  const [first] = all
  if (first === undefined) return undefined
  const named = all.slice(0, mostNamed).map(({ text }) => text)
  const texts = all.length > mostNamed ? [...named, `${all.length - mostNamed} more`] : named
  const last = texts.pop() ?? ''
  const list = texts.length === 0 ? last : `${texts.join(', ')} and ${last}`
  const remedies = all.filter(({ remedy }) => remedy !== undefined)
  const advice =
    remedies.length === 0
      ? 'It belongs to the shoot, and AWS has not removed it yet'
      : remedies.length === 1
        ? `${first.remedy}, or ask its owner to do so`
        : 'Delete them, or ask their owners to do so'
  return `${id} is in use by ${list}. ${advice}`
}
