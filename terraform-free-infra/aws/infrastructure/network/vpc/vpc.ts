import {
  AssociateDhcpOptionsCommand,
  AssociateVpcCidrBlockCommand,
  CreateVpcCommand,
  DeleteVpcCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  ModifyVpcAttributeCommand,
  type Vpc,
} from '@aws-sdk/client-ec2'
import { configurationProblem } from '../../../../../shared/contract/errors.ts'
import type { CallContext, Found, ListContext, Observation, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/unanswered.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure, ManagedVpc } from '../../desired-infrastructure.ts'
import type { Purpose } from '../../tags.ts'
import {
  foundTags,
  isMarked,
  isOwned,
  nameOf,
  ownsTag,
  type TagAttributes,
  tagSpecification,
  tagsAmong,
  writeTags,
} from '../../tags.ts'
import { ifFound } from '../../with-error-codes.ts'
import type { NetworkReads } from '../reads.ts'
import {
  associatedBlocks,
  awaitBlock,
  blockAttributes,
  ipv6BlockOf,
  isBlockAttribute,
  isInside,
} from '../subnets/ipv6-blocks.ts'

/** An IPv6 block appears after some seconds. */
const pollMs = 3_500

export interface VpcOutcome {
  readonly id: string
  /** The associated IPv6 block that the shoot uses. */
  readonly ipv6: string | undefined
}

type VpcAttributes = TagAttributes & {
  readonly cidr: string
  /** The id of the DHCP options. */
  readonly dhcpOptions: string
  readonly dnsSupport: boolean
  readonly dnsHostnames: boolean
  /** Set if it has an IPv6 block. AWS chooses the block. */
  readonly ipv6?: true | undefined
  /** The reason of AWS why it could not associate one. */
  readonly ipv6Failure?: string | undefined
}
type FoundVpc = Found<VpcAttributes, VpcOutcome>

/** The VPC of a shoot: created for it, or the user's, which is not changed. */
export const vpcType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  purpose: Purpose,
): ResourceType<AwsCloud, VpcAttributes, VpcOutcome> =>
  desired.vpc.kind === 'existing'
    ? existingVpcType(desired, reads)
    : managedVpcType(desired, desired.vpc, reads, purpose)

const existingVpcType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
): ResourceType<AwsCloud, VpcAttributes, VpcOutcome> => ({
  what: 'VPC',
  list: async ({ read, state }) => {
    const vpcs = await read(reads.vpcs)
    return Promise.all(
      vpcs.map(async vpc => ({
        ...foundVpc(vpc, {}, await usedBlock(desired, reads, vpc, { read, state })),
        key: '',
        foreign: true,
      })),
    )
  },
  remembers: key => key === 'VPC',
})

const managedVpcType = (
  desired: DesiredInfrastructure,
  { dedicatedTenancy, ipv6 }: ManagedVpc,
  reads: NetworkReads,
  { destroying = false }: Purpose,
): ResourceType<AwsCloud, VpcAttributes, VpcOutcome> => ({
  what: 'VPC',
  list: async ({ read, state }) => {
    const settingsOf = async (id: string) => (destroying ? {} : read(dnsSettings(id)))
    // Read concurrently: only the other reads show whether the VPC is ours.
    const ofState = state.VPC === undefined ? undefined : settingsOf(state.VPC)
    ofState?.catch(() => undefined)
    const [home, lost, vpcs] = await Promise.all([read(reads.home), read(reads.lostHome), read(reads.vpcs)])
    return Promise.all(
      vpcs
        .filter(({ VpcId = '', Tags }) => home.has(VpcId) || isOwned(desired, Tags))
        .map(async vpc => {
          const { VpcId = '', Tags } = vpc
          const mark = isMarked(desired, Tags) ? { mark: VpcId } : undefined
          // A marked one is a duplicate of ours: the SDK repeated its creation without an answer.
          if (!home.has(VpcId)) return { ...foundVpc(vpc, {}), ...mark }
          const settings = await (VpcId === state.VPC && ofState ? ofState : settingsOf(VpcId))
          return {
            ...foundVpc(vpc, settings, await usedBlock(desired, reads, vpc, { read, state })),
            ...(mark ?? { ours: lost.has(VpcId) ? ('likely' as const) : ('proved' as const) }),
          }
        }),
    )
  },
  create: async ({ cloud, signal, attributes }) => {
    const answer = await cloud.ec2.send(
      new CreateVpcCommand({
        CidrBlock: attributes.cidr,
        InstanceTenancy: dedicatedTenancy ? 'dedicated' : 'default',
        ...ipv6Request(ipv6),
        TagSpecifications: tagSpecification(desired, 'vpc', attributes),
      }),
      { abortSignal: signal },
    )
    // A new VPC resolves names but assigns none ("DNS attributes for your VPC", VPC user guide).
    const made = foundVpc(answer.Vpc ?? {}, { dnsSupport: true, dnsHostnames: false })
    return {
      ...made,
      attributes: { ...made.attributes, ...tagsAmong(attributes) },
      repeated: wasRepeated(answer),
    }
  },
  update: async ({ found, changes, attributes, ...call }) => {
    const { cloud, signal } = call
    const { id: VpcId } = found
    const differs = (attribute: keyof VpcAttributes) => changes.some(change => change.attribute === attribute)
    if (differs('cidr'))
      throw configurationProblem(
        `cannot change the CIDR block of VPC ${VpcId} from ${found.attributes.cidr} to ${attributes.cidr}`,
      )
    const modify = (setting: Partial<ConstructorParameters<typeof ModifyVpcAttributeCommand>[0]>) =>
      cloud.ec2.send(new ModifyVpcAttributeCommand({ VpcId, ...setting }), { abortSignal: signal })
    // Names can be assigned only if they are resolved.
    if (differs('dnsSupport')) await modify({ EnableDnsSupport: { Value: true } })
    if (differs('dnsHostnames')) await modify({ EnableDnsHostnames: { Value: true } })
    if (differs('dhcpOptions')) {
      const association = { VpcId, DhcpOptionsId: attributes.dhcpOptions }
      await cloud.ec2.send(new AssociateDhcpOptionsCommand(association), { abortSignal: signal })
    }
    await writeTags(call, VpcId, changes)
    if (!changes.some(({ attribute }) => isBlockAttribute(attribute))) return undefined
    const block = await associateBlock(call, VpcId, ipv6)
    const outcome = { id: VpcId, ipv6: block }
    return { ...found, status: block === undefined ? 'pending' : 'ready', attributes, outcome }
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteVpcCommand({ VpcId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  doubles: true,
  owns: attribute => (isBlockAttribute(attribute) && ipv6 !== undefined) || ownsTag(desired, attribute),
  changesOutcome: isBlockAttribute,
  // A VPC can have several blocks.
  once: { ipv6: 'by create', ipv6Failure: 'by update' },
  remembers: key => key === 'VPC',
  pollMs,
  patienceMs: 15_000,
})

/** Requests an IPv6 block for a VPC. Returns it, or undefined while AWS is still at work. */
const associateBlock = async (
  { cloud, signal, ...call }: CallContext<AwsCloud>,
  VpcId: string,
  ipv6: ManagedVpc['ipv6'],
): Promise<string | undefined> => {
  const { Ipv6CidrBlockAssociation } = await cloud.ec2.send(
    new AssociateVpcCidrBlockCommand({ VpcId, ...ipv6Request(ipv6) }),
    { abortSignal: signal },
  )
  return awaitBlock(
    { ...call, signal },
    {
      label: `VPC ${VpcId}`,
      association: Ipv6CidrBlockAssociation?.AssociationId,
      pollMs,
      read: async () => {
        const Filters = [{ Name: 'vpc-id', Values: [VpcId] }]
        const { Vpcs } = await cloud.ec2.send(new DescribeVpcsCommand({ Filters }), { abortSignal: signal })
        return Vpcs?.flatMap(({ Ipv6CidrBlockAssociationSet = [] }) => Ipv6CidrBlockAssociationSet)
      },
    },
  )
}

const ipv6Request = (ipv6: ManagedVpc['ipv6']) => {
  if (ipv6 === undefined) return {}
  if (ipv6.kind === 'amazon') return { AmazonProvidedIpv6CidrBlock: true }
  return {
    Ipv6IpamPoolId: ipv6.poolId,
    ...(ipv6.cidr === undefined ? { Ipv6NetmaskLength: 56 } : { Ipv6CidrBlock: ipv6.cidr }),
  }
}

interface DnsSettings {
  readonly dnsSupport?: boolean
  readonly dnsHostnames?: boolean
}

/**
 * A new VPC is ready at once: EC2 accepts new resources in it, as the Go extension also assumes. While its IPv6 block
 * is pending, the step waits and requests no second one.
 */
const foundVpc = (vpc: Vpc, settings: DnsSettings | undefined, usedIpv6?: string): FoundVpc => {
  const block = ipv6BlockOf(vpc.Ipv6CidrBlockAssociationSet, usedIpv6)
  const id = vpc.VpcId ?? ''
  return {
    id,
    key: nameOf(vpc.Tags),
    // Not every part of EC2 shows a new VPC yet.
    status: block.isPending || settings === undefined ? 'pending' : 'ready',
    attributes: {
      cidr: vpc.CidrBlock,
      dhcpOptions: vpc.DhcpOptionsId,
      ...settings,
      ...blockAttributes(block),
      ...foundTags(vpc.Tags),
    },
    outcome: { id, ipv6: block.block },
  }
}

/**
 * Returns the IPv6 block that the shoot uses in a VPC: the recorded one, otherwise that of its subnets. A user may add
 * other blocks, and AWS documents no order.
 */
const usedBlock = async (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  { Ipv6CidrBlockAssociationSet }: Vpc,
  { read, state }: Pick<ListContext<AwsCloud>, 'read' | 'state'>,
): Promise<string | undefined> => {
  const blocks = associatedBlocks(Ipv6CidrBlockAssociationSet)
  if (state.VPCIPv6CidrBlock !== undefined || blocks.length < 2) return state.VPCIPv6CidrBlock
  const own = desired.zones.kind === 'own' ? desired.zones.zones.map(({ workers }) => workers) : []
  const known = new Set([...Object.values(state), ...own])
  const ranges = (await read(reads.subnets))
    .filter(({ SubnetId = '', Tags }) => known.has(SubnetId) || isOwned(desired, Tags))
    .flatMap(subnet => associatedBlocks(subnet.Ipv6CidrBlockAssociationSet))
  return blocks.find(block => ranges.some(range => isInside(range, block)))
}

/**
 * Reads both settings concurrently. No call returns them together or for several VPCs. Undefined while EC2 shows the
 * VPC only in lists.
 */
export const dnsSettings = (VpcId: string): Observation<AwsCloud, Required<DnsSettings> | undefined> => ({
  name: `DNS settings of ${VpcId}`,
  observe: async ({ cloud, signal }) => {
    const ask = (Attribute: 'enableDnsSupport' | 'enableDnsHostnames') =>
      ifFound(cloud.ec2.send(new DescribeVpcAttributeCommand({ VpcId, Attribute }), { abortSignal: signal }))
    const [support, hostnames] = await Promise.all([ask('enableDnsSupport'), ask('enableDnsHostnames')])
    if (support === undefined || hostnames === undefined) return undefined
    return {
      dnsSupport: support.EnableDnsSupport?.Value ?? false,
      dnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
    }
  },
})
