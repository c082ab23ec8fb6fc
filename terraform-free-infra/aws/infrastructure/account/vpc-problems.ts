import { DescribeDhcpOptionsCommand, type DhcpOptions, type Vpc } from '@aws-sdk/client-ec2'
import { type Problem, shown } from '../../../../shared/decode/problems.ts'
import { when } from '../../../../shared/lists/when.ts'
import { contains, parseCidr } from '../../../cloud/cidr.ts'
import { hasOwnSubnets, zonePath } from '../config/problems/zone-problems.ts'
import { domainName } from '../network/vpc/dhcp-options.ts'
import { attachedTo } from '../network/vpc/home-vpc.ts'
import { dnsSettings } from '../network/vpc/vpc.ts'
import type { AccountInput } from './account-input.ts'

const path = 'networks.vpc.id'

/**
 * Returns the problems of the user's VPC: its DNS, gateway, DHCP options and CIDRs
 * (docs/contract/provider-aws.md#vpc-of-the-user).
 */
export const vpcProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { cloud, reads, read, config, ipv6 } = input
  const { id } = config.networks.vpc
  if (id === undefined) return []
  const [vpc] = await read(reads.vpcs)
  if (vpc === undefined)
    return [{ path, message: `expected a VPC of the account in ${cloud.region}, found no ${id} there` }]
  if (ipv6 && !hasIpv6(vpc))
    return [{ path, message: `expected a VPC with an associated IPv6 CIDR, found none in ${id}` }]
  const [dns, gateway, egressOnly, dhcp] = await Promise.all([
    dnsProblems(input, id),
    gatewayProblems(input, id),
    egressOnlyProblems(input, id),
    dhcpProblems(input, vpc),
  ])
  return [...dns, ...gateway, ...egressOnly, ...dhcp, ...cidrProblems(input, vpc)]
}

const hasIpv6 = ({ Ipv6CidrBlockAssociationSet = [] }: Vpc): boolean =>
  Ipv6CidrBlockAssociationSet.some(({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === 'associated')

const dnsProblems = async ({ read }: AccountInput, id: string): Promise<readonly Problem[]> => {
  const settings = await read(dnsSettings(id))
  if (settings === undefined)
    throw new Error(`cannot read the DNS attributes of ${id}: AWS shows this VPC only in lists yet`)
  const { dnsSupport, dnsHostnames } = settings
  return Object.entries({ enableDnsSupport: dnsSupport, enableDnsHostnames: dnsHostnames }).flatMap(
    ([name, value]) =>
      // The text of the Go extension, because its users and suites expect it.
      value ? [] : [{ path, message: `VPC attribute ${name} must be set to true, found false in ${id}` }],
  )
}

const gatewayProblems = async (
  { reads, read, config }: AccountInput,
  id: string,
): Promise<readonly Problem[]> => {
  // As in the graph: each zone with created subnets has a public one.
  if (hasOwnSubnets(config)) return []
  return when((await read(reads.internetGateways)).length === 0, {
    path,
    message: `expected an internet gateway attached to ${id}, which public subnets need; no attached internet gateway found`,
  })
}

/** Nodes with IPv6 reach the internet through this gateway. It is created only with a VPC. */
const egressOnlyProblems = async (
  { reads, read, desired }: AccountInput,
  id: string,
): Promise<readonly Problem[]> => {
  if (!desired.ipFamilies.includes('IPv6')) return []
  return when(!(await read(reads.egressOnlyGateways)).some(gateway => attachedTo(gateway) === id), {
    path,
    message: `expected an egress-only internet gateway attached to ${id}, which nodes with IPv6 need, found none. Create one for this VPC`,
  })
}

/** The names of nodes must be those by which the cloud controller finds them. */
const dhcpProblems = async (
  { cloud, signal }: AccountInput,
  { VpcId, DhcpOptionsId = '' }: Vpc,
): Promise<readonly Problem[]> => {
  const filter = { Name: 'dhcp-options-id', Values: [DhcpOptionsId] }
  const { DhcpOptions: [options] = [] } = await cloud.ec2.send(
    new DescribeDhcpOptionsCommand({ Filters: [filter] }),
    { abortSignal: signal },
  )
  const expected = [
    ['domain-name', domainName(cloud.region)],
    ['domain-name-servers', 'AmazonProvidedDNS'],
  ] as const
  return expected.flatMap(([key, value]) => {
    const found = valuesOf(options, key)
    return when(found.length !== 1 || found[0] !== value, {
      path,
      message: `expected the ${key} of the DHCP options of ${VpcId} to be ${value}, found ${found.length === 0 ? 'none' : found.map(shown).join(', ')}`,
    })
  })
}

const valuesOf = (options: DhcpOptions | undefined, key: string): readonly string[] =>
  (options?.DhcpConfigurations ?? [])
    .filter(({ Key }) => Key === key)
    .flatMap(({ Values = [] }) => Values.flatMap(({ Value }) => Value ?? []))

const cidrProblems = (
  { config: { networks } }: AccountInput,
  { VpcId, CidrBlockAssociationSet = [] }: Vpc,
): readonly Problem[] => {
  const blocks = CidrBlockAssociationSet.flatMap(({ CidrBlock = '', CidrBlockState }) =>
    CidrBlockState?.State === 'associated' ? (parseCidr(CidrBlock) ?? []) : [],
  )
  return networks.zones.flatMap((zone, index) =>
    (['workers', 'public', 'internal'] as const).flatMap(field => {
      const cidr = parseCidr(zone[field] ?? '')
      return when(cidr !== undefined && !blocks.some(block => contains(block, cidr)), {
        path: zonePath(index, field),
        message: `expected a CIDR inside a CIDR of ${VpcId} (${blocks.map(({ text }) => text).join(', ')}), found ${cidr?.text}`,
      })
    }),
  )
}
