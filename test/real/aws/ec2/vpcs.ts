import type { CreateVpcCommandInput } from '@aws-sdk/client-ec2'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { freshVpc, inside, inVpc, nothing, present } from './world.ts'

const creating =
  (input: CreateVpcCommandInput): Behaviour['see'] =>
  ({ ec2 }) =>
    codeOf(ec2.createVpc(input), ({ Vpc }) => Vpc?.CidrBlock)

/** VPCs, and the resources that are created and deleted with them. */
export const vpcBehaviours: readonly Behaviour[] = [
  {
    title: 'a VPC is pending at first, then available',
    see: async ({ ec2, pass }) => {
      const { Vpc } = await ec2.createVpc({ CidrBlock: '10.0.0.0/16' })
      await pass(60_000)
      const { Vpcs } = await ec2.describeVpcs({ VpcIds: [present(Vpc?.VpcId)] })
      return [Vpc?.State, Vpcs?.[0]?.State]
    },
    aws: ['pending', 'available'],
    moto: ['available', 'available'],
  },
  {
    // CreateVpc, API reference: "We modify the specified CIDR block to its canonical form".
    title: 'host bits of a block are cleared',
    see: creating({ CidrBlock: '10.0.1.7/16' }),
    aws: '10.0.0.0/16',
    moto: '10.0.1.7/16',
  },
  {
    title: 'a block larger than /16 is refused',
    see: creating({ CidrBlock: '10.0.0.0/15' }),
    aws: 'InvalidVpc.Range 400',
  },
  {
    title: 'a block smaller than /28 is refused',
    see: creating({ CidrBlock: '10.0.0.0/29' }),
    aws: 'InvalidVpc.Range 400',
  },
  {
    title: 'a block that is none is refused',
    see: creating({ CidrBlock: '10.0.0/16' }),
    aws: 'InvalidParameterValue 400',
  },
  {
    title: 'a VPC without a block is refused',
    see: creating({}),
    aws: 'MissingParameter 400',
    moto: 'InvalidParameterValue 400',
  },
  {
    title: 'an unknown VPC is not found',
    see: ({ ec2 }) => codeOf(ec2.describeVpcs({ VpcIds: [nothing('vpc')] })),
    aws: 'InvalidVpcID.NotFound 400',
  },
  {
    title: 'an unknown VPC cannot be deleted',
    see: ({ ec2 }) => codeOf(ec2.deleteVpc({ VpcId: nothing('vpc') })),
    aws: 'InvalidVpcID.NotFound 400',
  },
  {
    title: 'a region has a default VPC',
    see: async ({ ec2 }) => {
      const { Vpcs } = await ec2.describeVpcs({ Filters: [{ Name: 'is-default', Values: ['true'] }] })
      return Vpcs?.map(({ CidrBlock, State }) => [CidrBlock, State])
    },
    aws: [['172.31.0.0/16', 'available']],
  },
  {
    title: 'the default group lets in what is in it, and lets out everything',
    see: inVpc(async ({ ec2, id }) => {
      const { SecurityGroups: [group] = [] } = await ec2.describeSecurityGroups({ Filters: inside(id) })
      return [
        group?.IpPermissions?.map(({ IpProtocol, UserIdGroupPairs }) => [
          IpProtocol,
          UserIdGroupPairs?.map(({ GroupId }) => GroupId === group.GroupId),
        ]),
        group?.IpPermissionsEgress?.map(({ IpProtocol, IpRanges }) => [
          IpProtocol,
          IpRanges?.map(({ CidrIp }) => CidrIp),
        ]),
      ]
    }),
    aws: [[['-1', [true]]], [['-1', ['0.0.0.0/0']]]],
    moto: [[], [['-1', ['0.0.0.0/0']]]],
  },
  {
    title: 'DNS names are resolved in a new VPC, and not given',
    see: inVpc(async ({ ec2, id: VpcId }) => {
      const support = await ec2.describeVpcAttribute({ VpcId, Attribute: 'enableDnsSupport' })
      const names = await ec2.describeVpcAttribute({ VpcId, Attribute: 'enableDnsHostnames' })
      return [support.EnableDnsSupport?.Value, names.EnableDnsHostnames?.Value]
    }),
    aws: [true, false],
  },
  {
    title: 'a VPC remembers that it gives DNS names',
    see: inVpc(async ({ ec2, id: VpcId }) => {
      await ec2.modifyVpcAttribute({ VpcId, EnableDnsHostnames: { Value: true } })
      const { EnableDnsHostnames } = await ec2.describeVpcAttribute({
        VpcId,
        Attribute: 'enableDnsHostnames',
      })
      return EnableDnsHostnames?.Value
    }),
    aws: true,
  },
  {
    // ModifyVpcAttribute, API reference: "You cannot modify the DNS resolution and DNS hostnames attributes in the same
    // request".
    title: 'two attributes of a VPC are not changed at once',
    see: inVpc(({ ec2, id: VpcId }) =>
      codeOf(
        ec2.modifyVpcAttribute({
          VpcId,
          EnableDnsHostnames: { Value: true },
          EnableDnsSupport: { Value: true },
        }),
      ),
    ),
    aws: 'InvalidParameterCombination 400',
    moto: 'done',
  },
  {
    title: 'a second block is associating at first, then associated',
    see: inVpc(async ({ ec2, id: VpcId, waitLong }) => {
      const { CidrBlockAssociation } = await ec2.associateVpcCidrBlock({ VpcId, CidrBlock: '10.1.0.0/16' })
      await waitLong()
      const { Vpcs } = await ec2.describeVpcs({ VpcIds: [VpcId] })
      return [
        CidrBlockAssociation?.CidrBlockState?.State,
        Vpcs?.[0]?.CidrBlockAssociationSet?.map(block => [block.CidrBlock, block.CidrBlockState?.State]),
      ]
    }),
    aws: [
      'associating',
      [
        ['10.0.0.0/16', 'associated'],
        ['10.1.0.0/16', 'associated'],
      ],
    ],
  },
  {
    title: "the IPv6 block is a /56 of Amazon's, associating at first, then associated",
    see: inVpc(async ({ ec2, id: VpcId, waitLong }) => {
      const { Ipv6CidrBlockAssociation: made } = await ec2.associateVpcCidrBlock({
        VpcId,
        AmazonProvidedIpv6CidrBlock: true,
      })
      await waitLong()
      const { Vpcs } = await ec2.describeVpcs({ VpcIds: [VpcId] })
      const [block] = Vpcs?.[0]?.Ipv6CidrBlockAssociationSet ?? []
      return [
        made?.Ipv6CidrBlockState?.State,
        block?.Ipv6CidrBlockState?.State,
        /^2[0-9a-f:]+::\/56$/.test(block?.Ipv6CidrBlock ?? ''),
      ]
    }),
    aws: ['associating', 'associated', true],
  },
  {
    title: 'a VPC with a subnet cannot be deleted',
    see: inVpc(async ({ subnet, remove }) => [await subnet(), await codeOf(remove())][1]),
    aws: 'DependencyViolation 400',
  },
  {
    title: 'a VPC with an internet gateway cannot be deleted',
    see: inVpc(async ({ gateway, remove }) => [await gateway(), await codeOf(remove())][1]),
    aws: 'DependencyViolation 400',
    moto: 'done',
  },
  {
    title: 'a VPC with a route table of its own cannot be deleted',
    see: inVpc(async ({ table, remove }) => [await table(), await codeOf(remove())][1]),
    aws: 'DependencyViolation 400',
  },
  {
    title: 'a VPC with a security group of its own cannot be deleted',
    see: inVpc(async ({ group, remove }) => [await group(), await codeOf(remove())][1]),
    aws: 'DependencyViolation 400',
    moto: 'done',
  },
  {
    title: 'the sixth VPC of a region is refused, the default one counted',
    see: async endpoint => {
      const outcomes: unknown[] = []
      for (let count = 0; count < 5; count++) {
        outcomes.push(await codeOf(freshVpc(endpoint)))
      }
      return outcomes.map(outcome => (typeof outcome === 'string' ? outcome : 'made'))
    },
    aws: ['done', 'done', 'done', 'done', 'VpcLimitExceeded 400'],
    moto: ['done', 'done', 'done', 'done', 'done'],
  },
]
