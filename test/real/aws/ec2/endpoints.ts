import type { CreateVpcEndpointCommandInput } from '@aws-sdk/client-ec2'
import { type Behaviour, codeOf } from '../behaviour.ts'
import { type FreshVpc, inVpc, nothing, present } from './world.ts'

const ServiceName = 'com.amazonaws.eu-west-1.s3'

const make = async ({ ec2, id: VpcId }: FreshVpc, input: Partial<CreateVpcEndpointCommandInput> = {}) => {
  const made = await ec2.createVpcEndpoint({ VpcId, ServiceName, VpcEndpointType: 'Gateway', ...input })
  return present(made.VpcEndpoint?.VpcEndpointId)
}

const find = async ({ ec2 }: FreshVpc, id: string) =>
  (await ec2.describeVpcEndpoints({ VpcEndpointIds: [id] })).VpcEndpoints?.[0]

/** Returns the targets of a table's routes to prefix lists. */
const endpointRoutes = async ({ ec2 }: FreshVpc, table: string) => {
  const { RouteTables } = await ec2.describeRouteTables({ RouteTableIds: [table] })
  const routes = RouteTables?.[0]?.Routes?.filter(route => route.DestinationPrefixListId !== undefined)
  return routes?.map(({ GatewayId }) => GatewayId?.replace(/-.*/, ''))
}

/** Endpoints of AWS services in a VPC. */
export const endpointBehaviours: readonly Behaviour[] = [
  {
    title: 'a gateway endpoint is available, and takes IPv4 unless told otherwise',
    see: inVpc(async vpc => {
      const id = await make(vpc)
      await vpc.waitLong()
      const endpoint = await find(vpc, id)
      return [endpoint?.State, endpoint?.VpcEndpointType, endpoint?.IpAddressType]
    }),
    aws: ['available', 'Gateway', 'ipv4'],
    moto: ['available', 'Gateway', undefined],
  },
  {
    // CreateVpcEndpoint, API reference: "VpcEndpointType … Default: Gateway".
    title: 'an endpoint is of type Gateway by default',
    see: inVpc(({ ec2, id: VpcId }) =>
      codeOf(
        ec2.createVpcEndpoint({ VpcId, ServiceName }),
        ({ VpcEndpoint }) => VpcEndpoint?.VpcEndpointType,
      ),
    ),
    aws: 'Gateway',
    moto: undefined,
  },
  {
    title: 'a table that is given at creation has a route to the endpoint',
    see: inVpc(async vpc => {
      const table = await vpc.table()
      await make(vpc, { RouteTableIds: [table] })
      return endpointRoutes(vpc, table)
    }),
    aws: ['vpce'],
  },
  {
    title: 'a table that is added later has a route to the endpoint, until it is taken away',
    see: inVpc(async vpc => {
      const [table, VpcEndpointId] = [await vpc.table(), await make(vpc)]
      await vpc.ec2.modifyVpcEndpoint({ VpcEndpointId, AddRouteTableIds: [table] })
      const added = await endpointRoutes(vpc, table)
      await codeOf(vpc.ec2.modifyVpcEndpoint({ VpcEndpointId, RemoveRouteTableIds: [table] }))
      return [added, await endpointRoutes(vpc, table)]
    }),
    aws: [['vpce'], []],
    moto: [[], []],
  },
  {
    title: 'a table has one endpoint of a service',
    see: inVpc(async vpc => {
      const RouteTableIds = [await vpc.table()]
      return [await codeOf(make(vpc, { RouteTableIds })), await codeOf(make(vpc, { RouteTableIds }))]
    }),
    aws: ['done', 'RouteAlreadyExists 400'],
    moto: ['done', 'done'],
  },
  {
    title: 'a service that is none has no endpoints',
    see: inVpc(vpc => codeOf(make(vpc, { ServiceName: 'com.amazonaws.eu-west-1.none' }))),
    aws: 'InvalidServiceName 400',
    moto: 'done',
  },
  {
    title: 'a deleted endpoint is gone, and its routes are',
    see: inVpc(async vpc => {
      const [table, id] = [await vpc.table(), await make(vpc)]
      await vpc.ec2.modifyVpcEndpoint({ VpcEndpointId: id, AddRouteTableIds: [table] })
      const outcome = await codeOf(
        vpc.ec2.deleteVpcEndpoints({ VpcEndpointIds: [id] }),
        ({ Unsuccessful }) => Unsuccessful ?? [],
      )
      await vpc.waitLong()
      return [outcome, await codeOf(find(vpc, id)), await endpointRoutes(vpc, table)]
    }),
    aws: [[], 'InvalidVpcEndpointId.NotFound 400', []],
    moto: ['InvalidRoute.NotFound 400', 'done', []],
  },
  {
    title: 'an unknown endpoint is told of in the answer to its deletion',
    see: ({ ec2 }) =>
      codeOf(ec2.deleteVpcEndpoints({ VpcEndpointIds: [nothing('vpce')] }), ({ Unsuccessful }) =>
        Unsuccessful?.map(item => item.Error?.Code),
      ),
    aws: ['InvalidVpcEndpoint.NotFound'],
    moto: [],
  },
  {
    title: 'an unknown endpoint is not found',
    see: ({ ec2 }) => codeOf(ec2.describeVpcEndpoints({ VpcEndpointIds: [nothing('vpce')] })),
    aws: 'InvalidVpcEndpointId.NotFound 400',
  },
  {
    title: 'a VPC with an interface endpoint cannot be deleted',
    see: inVpc(async vpc => {
      await make(vpc, { VpcEndpointType: 'Interface', SubnetIds: [await vpc.subnet()] })
      return codeOf(vpc.remove())
    }),
    aws: 'DependencyViolation 400',
  },
]
