import {
  AssociateDhcpOptionsCommand,
  AssociateVpcCidrBlockCommand,
  CreateVpcCommand,
  DeleteVpcCommand,
  DescribeVpcAttributeCommand,
  ModifyVpcAttributeCommand,
  type Vpc,
} from '@aws-sdk/client-ec2'
import { CodedError } from '../../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../../engine/engine.ts'
import { wasRepeated } from '../../../account/client/was-repeated.ts'
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
import type { NetworkReads } from '../reads.ts'

export interface VpcOutcome {
  readonly id: string
  /** Its first associated IPv6 block. */
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
}
type FoundVpc = Found<VpcAttributes, VpcOutcome>

/** The VPC of a shoot: created for it, or the user's, which is not changed. */
export const vpcType = (
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  purpose: Purpose,
): ResourceType<AwsCloud, VpcAttributes, VpcOutcome> =>
  desired.vpc.kind === 'existing'
    ? existingVpcType(reads)
    : managedVpcType(desired, desired.vpc, reads, purpose)

const existingVpcType = (reads: NetworkReads): ResourceType<AwsCloud, VpcAttributes, VpcOutcome> => ({
  what: 'VPC',
  list: async ({ read }) =>
    (await read(reads.vpcs)).map(vpc => ({ ...foundVpc(vpc, {}), key: '', foreign: true })),
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
          return {
            ...foundVpc(vpc, await (VpcId === state.VPC && ofState ? ofState : settingsOf(VpcId))),
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
    if (differs('cidr')) {
      throw new CodedError(
        `cannot change the CIDR block of VPC ${VpcId} from ${found.attributes.cidr} to ${attributes.cidr}`,
        { codes: ['ERR_CONFIGURATION_PROBLEM'] },
      )
    }
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
    if (!differs('ipv6')) return undefined
    await cloud.ec2.send(new AssociateVpcCidrBlockCommand({ VpcId, ...ipv6Request(ipv6) }), {
      abortSignal: signal,
    })
    return { ...found, status: 'pending' }
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteVpcCommand({ VpcId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  doubles: true,
  owns: attribute => ownsTag(desired, attribute),
  changesOutcome: attribute => attribute === 'ipv6',
  // A VPC can have several blocks.
  once: { ipv6: 'by create' },
  remembers: key => key === 'VPC',
  // An IPv6 block appears after some seconds.
  pollMs: 3_500,
  patienceMs: 15_000,
})

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
const foundVpc = (vpc: Vpc, settings: DnsSettings): FoundVpc => {
  const blocks = vpc.Ipv6CidrBlockAssociationSet ?? []
  const inState = (state: string) => blocks.find(block => block.Ipv6CidrBlockState?.State === state)
  const ipv6 = inState('associated')?.Ipv6CidrBlock
  const id = vpc.VpcId ?? ''
  return {
    id,
    key: nameOf(vpc.Tags),
    status: ipv6 === undefined && inState('associating') !== undefined ? 'pending' : 'ready',
    attributes: {
      cidr: vpc.CidrBlock,
      dhcpOptions: vpc.DhcpOptionsId,
      ...settings,
      ...(ipv6 !== undefined && { ipv6: true }),
      ...foundTags(vpc.Tags),
    },
    outcome: { id, ipv6 },
  }
}

/** Reads both settings concurrently. No call returns them together or for several VPCs. */
export const dnsSettings = (VpcId: string) => ({
  name: `DNS settings of ${VpcId}`,
  observe: async ({ cloud, signal }: { readonly cloud: AwsCloud; readonly signal: AbortSignal }) => {
    const ask = (Attribute: 'enableDnsSupport' | 'enableDnsHostnames') =>
      cloud.ec2.send(new DescribeVpcAttributeCommand({ VpcId, Attribute }), { abortSignal: signal })
    const [support, hostnames] = await Promise.all([ask('enableDnsSupport'), ask('enableDnsHostnames')])
    return {
      dnsSupport: support.EnableDnsSupport?.Value ?? false,
      dnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
    }
  },
})
