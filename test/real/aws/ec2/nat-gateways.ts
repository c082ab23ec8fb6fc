import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, inVpc, nothing, present, tagged } from './world.ts'

const withGateway = (see: (vpc: FreshVpc) => Promise<unknown>): Behaviour['see'] =>
  inVpc(async vpc => {
    await vpc.gateway()
    return see(vpc)
  })

const find = async ({ ec2 }: FreshVpc, id: string) =>
  (await ec2.describeNatGateways({ NatGatewayIds: [id] })).NatGateways?.[0]

const interfacesOf = async ({ ec2 }: FreshVpc, subnet: string) => {
  const Filters = [{ Name: 'subnet-id', Values: [subnet] }]
  return (await ec2.describeNetworkInterfaces({ Filters })).NetworkInterfaces ?? []
}

/** NAT gateways: slow operations, and dependencies during them. */
export const natGatewayBehaviours: readonly Behaviour[] = [
  {
    title: 'a NAT gateway is pending at first, then available with its public address',
    see: withGateway(async vpc => {
      const [SubnetId, AllocationId] = [await vpc.subnet(), await vpc.address()]
      const { NatGateway } = await vpc.ec2.createNatGateway({ SubnetId, AllocationId })
      await vpc.waitLong()
      const later = await find(vpc, present(NatGateway?.NatGatewayId))
      return [NatGateway?.State, later?.State, later?.NatGatewayAddresses?.[0]?.PublicIp !== undefined]
    }),
    aws: ['pending', 'available', true],
    moto: ['available', 'available', true],
  },
  {
    // "NAT gateway creation fails", VPC user guide: "Network vpc-… has no Internet gateway attached".
    title: 'a NAT gateway in a VPC without a way to the internet fails',
    see: inVpc(async vpc => {
      const made = await codeOf(vpc.nat(await vpc.subnet(), await vpc.address()), id => id)
      await vpc.waitLong()
      const later = await find(vpc, String(made))
      return [later?.State, later?.FailureCode]
    }),
    aws: ['failed', 'Gateway.NotAttached'],
    moto: ['available', undefined],
  },
  {
    title: 'a NAT gateway holds an interface in its subnet',
    see: withGateway(async vpc => {
      const subnet = await vpc.subnet()
      await vpc.nat(subnet, await vpc.address())
      await vpc.waitLong()
      return (await interfacesOf(vpc, subnet)).map(({ InterfaceType, Status }) => [InterfaceType, Status])
    }),
    aws: [['nat_gateway', 'in-use']],
    moto: [['interface', 'available']],
  },
  {
    title: 'the subnet of a NAT gateway cannot be deleted',
    see: withGateway(async vpc => {
      const SubnetId = await vpc.subnet()
      await vpc.nat(SubnetId, await vpc.address())
      return codeOf(vpc.ec2.deleteSubnet({ SubnetId }))
    }),
    aws: 'DependencyViolation 400',
    moto: 'done',
  },
  {
    title: 'the address of a NAT gateway cannot be released',
    see: withGateway(async vpc => {
      const AllocationId = await vpc.address()
      await vpc.nat(await vpc.subnet(), AllocationId)
      await vpc.waitLong()
      return codeOf(vpc.ec2.releaseAddress({ AllocationId }))
    }),
    // The error of AWS for addresses that an AWS service holds.
    aws: 'AuthFailure 400',
    moto: 'done',
  },
  {
    title: 'a NAT gateway is deleting at first, then listed as deleted; address and subnet are free then',
    see: withGateway(async vpc => {
      const [SubnetId, AllocationId] = [await vpc.subnet(), await vpc.address()]
      const NatGatewayId = await vpc.nat(SubnetId, AllocationId)
      await vpc.waitLong()
      await vpc.ec2.deleteNatGateway({ NatGatewayId })
      const first = await find(vpc, NatGatewayId)
      await vpc.waitLong()
      return [
        first?.State,
        (await find(vpc, NatGatewayId))?.State,
        await codeOf(vpc.ec2.releaseAddress({ AllocationId })),
        await codeOf(vpc.ec2.deleteSubnet({ SubnetId })),
      ]
    }),
    aws: ['deleting', 'deleted', 'done', 'done'],
    moto: ['deleted', 'deleted', 'done', 'done'],
  },
  {
    title: 'a NAT gateway is found by its tag',
    see: withGateway(async vpc => {
      await vpc.ec2.createNatGateway({
        SubnetId: await vpc.subnet(),
        AllocationId: await vpc.address(),
        TagSpecifications: tagged('natgateway', { cluster: 'one' }),
      })
      const found = async (value: string) => {
        const { NatGateways } = await vpc.ec2.describeNatGateways({
          Filter: [
            { Name: 'vpc-id', Values: [vpc.id] },
            { Name: 'tag:cluster', Values: [value] },
          ],
        })
        return NatGateways?.length
      }
      return [await found('one'), await found('two')]
    }),
    aws: [1, 0],
    moto: [1, 1],
  },
  {
    title: 'an unknown NAT gateway is not found',
    see: ({ ec2 }) =>
      codeOf(ec2.describeNatGateways({ NatGatewayIds: [nothing('nat')] }), ({ NatGateways }) => NatGateways),
    aws: 'NatGatewayNotFound 400',
    moto: [],
  },
  {
    title: 'an unknown NAT gateway cannot be deleted',
    see: ({ ec2 }) => codeOf(ec2.deleteNatGateway({ NatGatewayId: nothing('nat') })),
    aws: 'NatGatewayNotFound 400',
    moto: 'Error 500',
  },
  {
    title: 'the same request with the same token makes one NAT gateway',
    see: withGateway(async vpc => {
      const input = {
        SubnetId: await vpc.subnet(),
        AllocationId: await vpc.address(),
        ClientToken: `once-${vpc.id}`,
      }
      const first = await vpc.ec2.createNatGateway(input)
      return codeOf(
        vpc.ec2.createNatGateway(input),
        second => second.NatGateway?.NatGatewayId === first.NatGateway?.NatGatewayId,
      )
    }),
    aws: true,
    moto: 'Resource.AlreadyAssociated 400',
  },
  {
    title: 'another request with the same token is refused',
    see: withGateway(async vpc => {
      const ClientToken = `once-${vpc.id}`
      const AllocationId = await vpc.address()
      const make = async (block: string) =>
        codeOf(vpc.ec2.createNatGateway({ SubnetId: await vpc.subnet(block), AllocationId, ClientToken }))
      return [await make('10.0.0.0/24'), await make('10.0.1.0/24')]
    }),
    aws: ['done', 'IdempotentParameterMismatch 400'],
    moto: ['done', 'Resource.AlreadyAssociated 400'],
  },
]
