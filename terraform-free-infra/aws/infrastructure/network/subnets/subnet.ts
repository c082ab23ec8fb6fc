import {
  AssociateSubnetCidrBlockCommand,
  CreateSubnetCommand,
  DeleteSubnetCommand,
  ModifySubnetAttributeCommand,
  type ModifySubnetAttributeCommandInput,
  type Subnet,
} from '@aws-sdk/client-ec2'
import type { Change, Found, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/was-repeated.ts'
import { AwsError } from '../../../account/errors/aws-error.ts'
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
import type { NetworkReads } from '../reads.ts'
import type { VpcOutcome } from '../vpc/vpc.ts'
import { blocksOfVpc, subnetBlock } from './ipv6-blocks.ts'

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

/**
 * A subnet. `blockOf` returns the preferred number of its /64 in the VPC's block by its key. If that is taken, the next
 * free one is used.
 */
export const subnetType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  blockOf: (key: string) => number,
): ResourceType<AwsCloud, SubnetAttributes, SubnetOutcome, { vpc: VpcOutcome }> => ({
  what: 'subnet',
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
  create: async ({ cloud, signal, key, attributes, needs: { vpc } }) => {
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
    const answer =
      attributes.ipv6 === true
        ? await withFreeBlock(vpc, blockOf(key), Ipv6CidrBlock => create({ Ipv6CidrBlock }))
        : await create({})
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
    let updated: Partial<Found<SubnetAttributes, SubnetOutcome>> | undefined
    if (changes.some(({ attribute }) => attribute === 'ipv6')) {
      const ipv6 = await withFreeBlock(vpc, blockOf(found.key), async Ipv6CidrBlock => {
        const command = new AssociateSubnetCidrBlockCommand({ SubnetId: found.id, Ipv6CidrBlock })
        await cloud.ec2.send(command, { abortSignal: signal })
        return Ipv6CidrBlock
      })
      updated = { outcome: { ...found.outcome, ipv6 } }
    }
    for (const change of changes) {
      const setting = settingOf(change)
      if (setting === undefined) continue
      const command = new ModifySubnetAttributeCommand({ SubnetId: found.id, ...setting })
      await cloud.ec2.send(command, { abortSignal: signal })
    }
    await writeTags(call, found.id, changes)
    return updated && { ...found, ...updated }
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteSubnetCommand({ SubnetId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  doubles: true,
  once: { ipv6: 'by create' },
  owns: attribute => ownsTag(desired, attribute),
  replaces: ['zone', 'cidr', 'ipv6Only', 'vpc'],
  changesOutcome: attribute => attribute === 'ipv6',
  remembers: isSubnetKey,
  // EC2 lists a new subnet as available after about a second.
  pollMs: 1_500,
  patienceMs: 15_000,
})

/** Tries the /64 with a number and the following ones, while they belong to other subnets. */
const withFreeBlock = async <T>(
  vpc: VpcOutcome,
  first: number,
  attempt: (block: string) => Promise<T>,
): Promise<T> => {
  if (vpc.ipv6 === undefined) throw new Error(`the VPC ${vpc.id} has no IPv6 CIDR block`)
  for (let index = first; ; index++) {
    try {
      return await attempt(subnetBlock(vpc.ipv6, index))
    } catch (error) {
      const isTaken = error instanceof AwsError && error.code === 'InvalidSubnet.Conflict'
      if (!isTaken || index + 1 >= blocksOfVpc) throw error
    }
  }
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
  const blocks = (subnet.Ipv6CidrBlockAssociationSet ?? []).filter(({ Ipv6CidrBlockState }) =>
    ['associating', 'associated'].includes(Ipv6CidrBlockState?.State ?? ''),
  )
  const ipv6 = blocks[0]?.Ipv6CidrBlock
  const names = subnet.PrivateDnsNameOptionsOnLaunch
  return {
    id,
    key: subnetKey(subnet),
    status: subnet.State === 'pending' ? 'pending' : 'ready',
    attributes: {
      zone,
      ...(cidr !== undefined && { cidr }),
      ipv6Only: subnet.Ipv6Native ?? false,
      ...(ipv6 !== undefined && { ipv6: true }),
      assignIpv6: subnet.AssignIpv6AddressOnCreation ?? false,
      dns64: subnet.EnableDns64 ?? false,
      hostnameType: names?.HostnameType === 'resource-name' ? 'resource-name' : 'ip-name',
      aRecord: names?.EnableResourceNameDnsARecord ?? false,
      aaaaRecord: names?.EnableResourceNameDnsAAAARecord ?? false,
      mapPublicIp: subnet.MapPublicIpOnLaunch ?? false,
      ...foundTags(subnet.Tags),
    },
    outcome: { id, zone, cidr, ipv6 },
    uses: [...(VpcId === undefined ? [] : [VpcId]), ...routeTables],
    ...whoseByTags(proof, id, subnet.Tags),
  }
}
