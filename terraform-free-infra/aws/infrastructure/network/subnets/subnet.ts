import {
  AssociateSubnetCidrBlockCommand,
  CreateSubnetCommand,
  DeleteSubnetCommand,
  DescribeSubnetsCommand,
  ModifySubnetAttributeCommand,
  type ModifySubnetAttributeCommandInput,
  type Subnet,
} from '@aws-sdk/client-ec2'
import type { CallContext, Change, Found, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/unanswered.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { idsInState, isZoneKey, zoneKey } from '../../state.ts'
import {
  foundTags,
  isOurs,
  isOwned,
  nameOf,
  ownsTag,
  type TagAttributes,
  type TagProof,
  tagSpecification,
  tagsAmong,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import { desiresIpv6 } from '../network.ts'
import type { NetworkReads } from '../reads.ts'
import type { VpcOutcome } from '../vpc/vpc.ts'
import { withFreeBlock, withTakenRange } from './free-range.ts'
import { awaitBlock, blockAttributes, ipv6BlockOf, isBlockAttribute } from './ipv6-blocks.ts'

/** EC2 lists a new subnet as available after about a second. */
const pollMs = 1_500

export interface SubnetOutcome {
  readonly id: string
  readonly zone: string
  readonly cidr: string | undefined
  readonly ipv6: string | undefined
}

export type SubnetAttributes = TagAttributes & {
  readonly zone: string
  /** Undefined: IPv6 only. */
  readonly cidr: string | undefined
  readonly ipv6Only: boolean
  /** Set if it has an IPv6 block. */
  readonly ipv6?: true | undefined
  /** The reason of AWS why it could not associate one. */
  readonly ipv6Failure?: string | undefined
  readonly assignIpv6?: boolean | undefined
  readonly dns64: boolean
  readonly hostnameType: 'ip-name' | 'resource-name'
  readonly aRecord: boolean
  readonly aaaaRecord: boolean
  readonly mapPublicIp: boolean
}

/** Returns the key that identifies a subnet without the state: its zone and IPv4 CIDR, or without a CIDR its name. */
export const subnetKey = ({ AvailabilityZone = '', CidrBlock, Tags }: Subnet): string =>
  `${AvailabilityZone} ${CidrBlock ?? nameOf(Tags)}`

export const ownSubnets = (
  proof: TagProof,
  state: Readonly<Record<string, string>>,
  subnets: readonly Subnet[],
): readonly Subnet[] => {
  const known = idsInState(state, isSubnetKey)
  return subnets.filter(({ SubnetId = '', Tags }) => isOurs(proof, known, SubnetId, Tags))
}

const isSubnetKey = (key: string): boolean =>
  isZoneKey(key, 'SubnetWorkers', 'SubnetPublicUtility', 'SubnetPrivateUtility')

export const subnetWhat = 'subnet'

/** The place of a subnet in the config. */
export interface SubnetPlace {
  /** The preferred number of its /64 in the VPC's block. If that is taken, the next free one is used. */
  readonly block: number
  /** The path of its CIDR. */
  readonly path: string
}

/** A subnet. `placeOf` returns its place by its key. */
export const subnetType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  placeOf: (key: string) => SubnetPlace,
): ResourceType<AwsCloud, SubnetAttributes, SubnetOutcome, { vpc: VpcOutcome }> => ({
  what: subnetWhat,
  foreseen: ({ attributes: { zone = '', cidr, ipv6 } }) => ({
    zone,
    cidr,
    ...(ipv6 === undefined && { ipv6: undefined }),
  }),
  list: async ({ read, state }) => {
    const [subnets, tagsProve] = await Promise.all([read(reads.subnets), read(reads.tagsProve)])
    const proof = { ...desired, tagsProve }
    return subnets
      .filter(subnet => isOwned(desired, subnet.Tags) || ownSubnets(proof, state, [subnet]).length > 0)
      .map(subnet => foundSubnet(proof, subnet, routeTableOf(subnet, state)))
  },
  create: async ({ key, attributes, needs: { vpc }, ...call }) => {
    const { cloud, signal } = call
    const { block, path } = placeOf(key)
    const request = {
      VpcId: vpc.id,
      AvailabilityZone: attributes.zone,
      ...(attributes.cidr !== undefined && { CidrBlock: attributes.cidr }),
      ...(attributes.ipv6Only && { Ipv6Native: true }),
      TagSpecifications: tagSpecification(desired, 'subnet', attributes),
    }
    const create = async (block: { readonly Ipv6CidrBlock?: string }) => {
      const command = new CreateSubnetCommand({ ...request, ...block })
      return cloud.ec2.send(command, { abortSignal: signal })
    }
    const range = { vpc: vpc.id, cidr: attributes.cidr, path }
    const answer = await withTakenRange(call, desired, range, () =>
      attributes.ipv6 === true
        ? withFreeBlock(call, desired, { vpc, first: block }, Ipv6CidrBlock => create({ Ipv6CidrBlock }))
        : create({}),
    )
    const made = foundSubnet({ ...desired, tagsProve: false }, answer.Subnet ?? {}, [])
    return {
      ...made,
      key,
      attributes: { ...made.attributes, ...tagsAmong(attributes) },
      repeated: wasRepeated(answer),
    }
  },
  update: async ({ found, changes, attributes, needs: { vpc }, ...call }) => {
    const { cloud, signal } = call
    const getsBlock = changes.some(({ attribute }) => isBlockAttribute(attribute))
    const place = { vpc, first: placeOf(found.key).block }
    const ipv6 = getsBlock ? await associateBlock(call, desired, found.id, place) : found.outcome.ipv6
    for (const change of changes) {
      const setting = settingOf(change)
      if (setting === undefined) continue
      const command = new ModifySubnetAttributeCommand({ SubnetId: found.id, ...setting })
      await cloud.ec2.send(command, { abortSignal: signal })
    }
    await writeTags(call, found.id, changes)
    if (!getsBlock) return undefined
    const outcome = { ...found.outcome, ipv6 }
    return { ...found, status: ipv6 === undefined ? 'pending' : 'ready', attributes, outcome }
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteSubnetCommand({ SubnetId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  doubles: true,
  once: { ipv6: 'by create', ipv6Failure: 'by update' },
  owns: attribute => (isBlockAttribute(attribute) && desiresIpv6(desired)) || ownsTag(desired, attribute),
  replaces: ['zone', 'cidr', 'ipv6Only', 'vpc'],
  changesOutcome: isBlockAttribute,
  remembers: isSubnetKey,
  pollMs,
  patienceMs: 15_000,
})

/** Associates a free block with a subnet. Returns it, or undefined while AWS is still at work. */
const associateBlock = async (
  call: CallContext<AwsCloud>,
  desired: DesiredInfrastructure,
  SubnetId: string,
  place: Parameters<typeof withFreeBlock>[2],
): Promise<string | undefined> => {
  const { cloud, signal } = call
  const { Ipv6CidrBlockAssociation } = await withFreeBlock(call, desired, place, Ipv6CidrBlock =>
    cloud.ec2.send(new AssociateSubnetCidrBlockCommand({ SubnetId, Ipv6CidrBlock }), { abortSignal: signal }),
  )
  return awaitBlock(call, {
    label: `subnet ${SubnetId}`,
    association: Ipv6CidrBlockAssociation?.AssociationId,
    pollMs,
    read: async () => {
      const Filters = [{ Name: 'subnet-id', Values: [SubnetId] }]
      const { Subnets } = await cloud.ec2.send(new DescribeSubnetsCommand({ Filters }), {
        abortSignal: signal,
      })
      return Subnets?.flatMap(({ Ipv6CidrBlockAssociationSet = [] }) => Ipv6CidrBlockAssociationSet)
    },
  })
}

/**
 * Returns the route table of a subnet from the state. It can be deleted only when no subnet uses it. If the state does
 * not contain it, EC2 refuses its deletion until then.
 */
const routeTableOf = (
  { SubnetId, AvailabilityZone = '' }: Subnet,
  state: Readonly<Record<string, string>>,
): readonly string[] => {
  const isPublic = state[zoneKey(AvailabilityZone, 'SubnetPublicUtility')] === SubnetId
  const table = isPublic ? state.MainRouteTable : state[zoneKey(AvailabilityZone, 'ZoneRouteTable')]
  return table === undefined ? [] : [table]
}

/** Returns the single `ModifySubnetAttribute` setting for a change, or undefined if another call makes it. */
const settingOf = ({
  attribute,
  after,
}: Change): Omit<ModifySubnetAttributeCommandInput, 'SubnetId'> | undefined => {
  switch (attribute) {
    case 'assignIpv6':
      return { AssignIpv6AddressOnCreation: { Value: after === true } }
    case 'dns64':
      return { EnableDns64: { Value: after === true } }
    case 'aRecord':
      return { EnableResourceNameDnsARecordOnLaunch: { Value: after === true } }
    case 'aaaaRecord':
      return { EnableResourceNameDnsAAAARecordOnLaunch: { Value: after === true } }
    case 'mapPublicIp':
      return { MapPublicIpOnLaunch: { Value: after === true } }
    case 'hostnameType':
      return { PrivateDnsHostnameTypeOnLaunch: after === 'resource-name' ? 'resource-name' : 'ip-name' }
    default:
      return undefined
  }
}

const foundSubnet = (
  proof: TagProof,
  subnet: Subnet,
  routeTables: readonly string[],
): Found<SubnetAttributes, SubnetOutcome> => {
  const { SubnetId: id = '', AvailabilityZone: zone = '', CidrBlock: cidr, VpcId } = subnet
  const block = ipv6BlockOf(subnet.Ipv6CidrBlockAssociationSet)
  const names = subnet.PrivateDnsNameOptionsOnLaunch
  return {
    id,
    key: subnetKey(subnet),
    status: subnet.State === 'pending' || block.isPending ? 'pending' : 'ready',
    attributes: {
      zone,
      ...(cidr !== undefined && { cidr }),
      ipv6Only: subnet.Ipv6Native ?? false,
      ...blockAttributes(block),
      assignIpv6: subnet.AssignIpv6AddressOnCreation ?? false,
      dns64: subnet.EnableDns64 ?? false,
      hostnameType: names?.HostnameType === 'resource-name' ? 'resource-name' : 'ip-name',
      aRecord: names?.EnableResourceNameDnsARecord ?? false,
      aaaaRecord: names?.EnableResourceNameDnsAAAARecord ?? false,
      mapPublicIp: subnet.MapPublicIpOnLaunch ?? false,
      ...foundTags(subnet.Tags),
    },
    outcome: { id, zone, cidr, ipv6: block.block },
    uses: [...(VpcId === undefined ? [] : [VpcId]), ...routeTables],
    ...whoseByTags(proof, id, subnet.Tags),
  }
}
