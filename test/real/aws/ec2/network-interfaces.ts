import { type Behaviour, codeOf } from '../behaviour.ts'
import { withMachines } from './machine.ts'
import { type FreshVpc, inVpc, nothing } from './world.ts'

const find = async ({ ec2 }: Pick<FreshVpc, 'ec2'>, id: string) =>
  (await ec2.describeNetworkInterfaces({ NetworkInterfaceIds: [id] })).NetworkInterfaces?.[0]

export const networkInterfaceBehaviours: readonly Behaviour[] = [
  {
    title: 'an interface has an address of its subnet, and the default group',
    see: inVpc(async vpc => {
      const id = await vpc.nic(await vpc.subnet())
      await vpc.waitLong()
      const found = await find(vpc, id)
      return [
        found?.Status,
        /^10\.0\.0\.\d+$/.test(found?.PrivateIpAddress ?? ''),
        found?.Groups?.map(({ GroupName }) => GroupName),
        found?.SourceDestCheck,
      ]
    }),
    aws: ['available', true, ['default'], true],
  },
  {
    title: 'the source check of an interface is turned off',
    see: inVpc(async vpc => {
      const NetworkInterfaceId = await vpc.nic(await vpc.subnet())
      await vpc.ec2.modifyNetworkInterfaceAttribute({ NetworkInterfaceId, SourceDestCheck: { Value: false } })
      return (await find(vpc, NetworkInterfaceId))?.SourceDestCheck
    }),
    aws: false,
  },
  {
    title: 'an interface takes other groups',
    see: inVpc(async vpc => {
      const NetworkInterfaceId = await vpc.nic(await vpc.subnet())
      await vpc.ec2.modifyNetworkInterfaceAttribute({ NetworkInterfaceId, Groups: [await vpc.group()] })
      return (await find(vpc, NetworkInterfaceId))?.Groups?.map(({ GroupName }) => GroupName)
    }),
    aws: ['nodes'],
  },
  {
    title: 'an unknown interface is not found',
    see: vpc => codeOf(find(vpc, nothing('eni'))),
    aws: 'InvalidNetworkInterfaceID.NotFound 400',
  },
  {
    title: 'an interface is given IPv6 addresses of its subnet',
    see: inVpc(async vpc => {
      const { ec2, id: VpcId, waitLong } = vpc
      await ec2.associateVpcCidrBlock({ VpcId, AmazonProvidedIpv6CidrBlock: true })
      await waitLong()
      const { Vpcs } = await ec2.describeVpcs({ VpcIds: [VpcId] })
      const block = Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock
      const SubnetId = await vpc.subnet()
      await ec2.associateSubnetCidrBlock({ SubnetId, Ipv6CidrBlock: block?.replace('/56', '/64') })
      await waitLong()
      const NetworkInterfaceId = await vpc.nic(SubnetId)
      const given = await ec2.assignIpv6Addresses({ NetworkInterfaceId, Ipv6AddressCount: 1 })
      const found = await find(vpc, NetworkInterfaceId)
      return [
        given.AssignedIpv6Addresses?.length,
        found?.Ipv6Addresses?.map(({ Ipv6Address }) => Ipv6Address === given.AssignedIpv6Addresses?.[0]),
      ]
    }),
    aws: [1, [true]],
  },
]
