import type { ModifySubnetAttributeCommandInput, Subnet } from '@aws-sdk/client-ec2'
import ipaddr from 'ipaddr.js'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, inVpc, nothing, present } from './world.ts'

const find = async ({ ec2 }: FreshVpc, id: string): Promise<Subnet | undefined> =>
  (await ec2.describeSubnets({ SubnetIds: [id] })).Subnets?.[0]

const creating = (CidrBlock: string): Behaviour['see'] => inVpc(vpc => codeOf(vpc.subnet(CidrBlock)))

const modified = (
  change: Omit<ModifySubnetAttributeCommandInput, 'SubnetId'>,
  read: (subnet: Subnet | undefined) => unknown,
): Behaviour['see'] =>
  inVpc(async vpc => {
    const SubnetId = await vpc.subnet()
    await vpc.ec2.modifySubnetAttribute({ SubnetId, ...change })
    return read(await find(vpc, SubnetId))
  })

/** Adds an IPv6 block to the VPC. Returns a function that returns one of its /64 blocks by number. */
const withIpv6 = async ({ ec2, id: VpcId, waitLong }: FreshVpc): Promise<(number: number) => string> => {
  await ec2.associateVpcCidrBlock({ VpcId, AmazonProvidedIpv6CidrBlock: true })
  await waitLong()
  const { Vpcs } = await ec2.describeVpcs({ VpcIds: [VpcId] })
  const block = present(Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock)
  const [address] = ipaddr.IPv6.parseCIDR(block)
  return number => {
    const parts = address.parts.map((part, index) => (index === 3 ? part + number : part))
    return `${new ipaddr.IPv6(parts)}/64`
  }
}

/** Subnets. */
export const subnetBehaviours: readonly Behaviour[] = [
  {
    title: 'a subnet is pending at first, then available',
    see: inVpc(async vpc => {
      const { Subnet } = await vpc.ec2.createSubnet({ VpcId: vpc.id, CidrBlock: '10.0.0.0/24' })
      await vpc.waitLong()
      return [Subnet?.State, (await find(vpc, present(Subnet?.SubnetId)))?.State]
    }),
    aws: ['pending', 'available'],
    moto: ['available', 'available'],
  },
  {
    title: 'five addresses of a subnet are kept by AWS',
    see: inVpc(async vpc => (await find(vpc, await vpc.subnet()))?.AvailableIpAddressCount),
    aws: 251,
  },
  {
    // CreateSubnet, API reference: "We modify the specified CIDR block to its canonical form".
    title: 'host bits of a subnet are cleared',
    see: inVpc(async vpc => (await find(vpc, await vpc.subnet('10.0.3.9/24')))?.CidrBlock),
    aws: '10.0.3.0/24',
    moto: '10.0.3.9/24',
  },
  {
    title: 'a subnet outside of its VPC is refused',
    see: creating('10.1.0.0/24'),
    aws: 'InvalidSubnet.Range 400',
  },
  {
    title: 'a subnet larger than its VPC is refused',
    see: creating('10.0.0.0/15'),
    aws: 'InvalidSubnet.Range 400',
  },
  {
    title: 'a subnet smaller than /28 is refused',
    see: creating('10.0.0.0/29'),
    aws: 'InvalidSubnet.Range 400',
    moto: 'done',
  },
  {
    title: 'a block that is none makes no subnet',
    see: creating('10.0.0.0'),
    aws: 'InvalidParameterValue 400',
    moto: 'done',
  },
  {
    title: 'subnets do not overlap',
    see: inVpc(async vpc => [await codeOf(vpc.subnet()), await codeOf(vpc.subnet('10.0.0.128/25'))]),
    aws: ['done', 'InvalidSubnet.Conflict 400'],
  },
  {
    title: 'a subnet in an unknown zone is refused',
    see: inVpc(vpc => codeOf(vpc.subnet('10.0.0.0/24', 'x'))),
    aws: 'InvalidParameterValue 400',
  },
  {
    title: 'a subnet in an unknown VPC is refused',
    see: ({ ec2 }) => codeOf(ec2.createSubnet({ VpcId: nothing('vpc'), CidrBlock: '10.0.0.0/24' })),
    aws: 'InvalidVpcID.NotFound 400',
  },
  {
    title: 'a deleted subnet is gone',
    see: inVpc(async vpc => {
      const subnet = await vpc.subnet()
      return [await codeOf(vpc.ec2.deleteSubnet({ SubnetId: subnet })), await codeOf(find(vpc, subnet))]
    }),
    aws: ['done', 'InvalidSubnetID.NotFound 400'],
  },
  {
    title: 'a subnet remembers that it gives public addresses',
    see: modified({ MapPublicIpOnLaunch: { Value: true } }, subnet => subnet?.MapPublicIpOnLaunch),
    aws: true,
  },
  {
    title: 'a subnet remembers DNS64',
    see: inVpc(async vpc => {
      const block = await withIpv6(vpc)
      const SubnetId = await vpc.subnet()
      await vpc.ec2.associateSubnetCidrBlock({ SubnetId, Ipv6CidrBlock: block(0) })
      await vpc.waitLong()
      await vpc.ec2.modifySubnetAttribute({ SubnetId, EnableDns64: { Value: true } })
      return (await find(vpc, SubnetId))?.EnableDns64
    }),
    aws: true,
    moto: undefined,
  },
  {
    title: 'a subnet remembers the kind of its host names',
    see: modified(
      { PrivateDnsHostnameTypeOnLaunch: 'resource-name' },
      subnet => subnet?.PrivateDnsNameOptionsOnLaunch?.HostnameType,
    ),
    aws: 'resource-name',
    moto: 'ip-name',
  },
  {
    title: 'a subnet remembers that it answers for resource names',
    see: modified(
      { EnableResourceNameDnsARecordOnLaunch: { Value: true } },
      subnet => subnet?.PrivateDnsNameOptionsOnLaunch?.EnableResourceNameDnsARecord,
    ),
    aws: true,
  },
  {
    title: 'an IPv6 block of a subnet is associating at first, then associated, in canonical form',
    see: inVpc(async vpc => {
      const wanted = (await withIpv6(vpc))(10)
      const SubnetId = await vpc.subnet()
      const { Ipv6CidrBlockAssociation: made } = await vpc.ec2.associateSubnetCidrBlock({
        SubnetId,
        Ipv6CidrBlock: wanted,
      })
      await vpc.waitLong()
      const [block] = (await find(vpc, SubnetId))?.Ipv6CidrBlockAssociationSet ?? []
      return [
        made?.Ipv6CidrBlockState?.State,
        block?.Ipv6CidrBlockState?.State,
        block?.Ipv6CidrBlock === wanted,
      ]
    }),
    aws: ['associating', 'associated', true],
    moto: ['associated', "{'State': 'associated'}", true],
  },
  {
    title: 'IPv6 blocks of subnets do not overlap',
    see: inVpc(async vpc => {
      const Ipv6CidrBlock = (await withIpv6(vpc))(0)
      const subnets = [await vpc.subnet(), await vpc.subnet('10.0.1.0/24')]
      return [
        await codeOf(vpc.ec2.associateSubnetCidrBlock({ SubnetId: present(subnets[0]), Ipv6CidrBlock })),
        await codeOf(vpc.ec2.associateSubnetCidrBlock({ SubnetId: present(subnets[1]), Ipv6CidrBlock })),
      ]
    }),
    aws: ['done', 'InvalidSubnet.Conflict 400'],
    moto: ['done', 'done'],
  },
  {
    title: 'a reservation of a subnet is listed',
    see: inVpc(async vpc => {
      const SubnetId = await vpc.subnet()
      await vpc.ec2.createSubnetCidrReservation({
        SubnetId,
        Cidr: '10.0.0.64/28',
        ReservationType: 'explicit',
      })
      const { SubnetIpv4CidrReservations } = await vpc.ec2.getSubnetCidrReservations({ SubnetId })
      return SubnetIpv4CidrReservations?.map(({ Cidr, ReservationType }) => [Cidr, ReservationType])
    }),
    aws: [['10.0.0.64/28', 'explicit']],
  },
  {
    // "Hostname types", EC2 user guide: instances of IPv6-only subnets have resource names.
    title: 'an IPv6-only subnet gives resource names',
    see: inVpc(async vpc => {
      const Ipv6CidrBlock = (await withIpv6(vpc))(0)
      const { Subnet } = await vpc.ec2.createSubnet({ VpcId: vpc.id, Ipv6CidrBlock, Ipv6Native: true })
      return [Subnet?.CidrBlock, Subnet?.PrivateDnsNameOptionsOnLaunch?.HostnameType]
    }),
    aws: [undefined, 'resource-name'],
    moto: [undefined, 'ip-name'],
  },
]
