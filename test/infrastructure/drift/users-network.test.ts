import {
  CreateRouteCommand,
  CreateTagsCommand,
  DeleteSubnetCommand,
  DeleteTagsCommand,
  DescribeRouteTablesCommand,
  DescribeTagsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import { namespace } from '../../../functions/aws/infrastructure/testing/objects.ts'
import type { Hands } from '../made-shoot.ts'
import { shapes } from '../shapes.ts'
import { type Drift, testDrifts } from './drift.ts'

const clusterTag = `kubernetes.io/cluster/${namespace}`
const tagsOf = async ({ ec2 }: Hands, id: string) =>
  (await ec2.send(new DescribeTagsCommand({ Filters: [{ Name: 'resource-id', Values: [id] }] }))).Tags ?? []

describe('in the VPC of the user, an operator', () => {
  testDrifts(shapes['existing VPC'](1), [
    {
      what: 'tags the VPC and its gateway, which is theirs to do',
      done: ({ ec2, id }) =>
        ec2.send(
          new CreateTagsCommand({
            Resources: [id('VPC'), id('InternetGateway')],
            Tags: [{ Key: 'Name', Value: 'theirs' }],
          }),
        ),
      repaired: [],
      survives: async hands => expect(await tagsOf(hands, hands.id('VPC'))).toHaveLength(1),
    },
    {
      what: 'adds a route to the main table of the VPC, which is theirs',
      done: async ({ ec2, id }) => {
        const Filters = [
          { Name: 'vpc-id', Values: [id('VPC')] },
          { Name: 'association.main', Values: ['true'] },
        ]
        const { RouteTables } = await ec2.send(new DescribeRouteTablesCommand({ Filters }))
        const RouteTableId = RouteTables?.[0]?.RouteTableId
        const GatewayId = id('InternetGateway')
        await ec2.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0', GatewayId }))
      },
      repaired: [],
      survives: async () => undefined,
    },
    {
      what: 'a user deletes a subnet of the shoot',
      done: ({ ec2, id }) =>
        ec2.send(new DeleteSubnetCommand({ SubnetId: id('Zones/eu-west-1a/SubnetWorkers') })),
      repaired: ['CreateSubnet VPC', 'AssociateRouteTable a/ZoneRouteTable new a/SubnetWorkers'],
    },
  ])
})

describe('on the subnets of the user, an operator', () => {
  const untag = (key: string, ...Keys: readonly string[]): Drift['done'] => {
    return ({ ec2, id }) =>
      ec2.send(new DeleteTagsCommand({ Resources: [id(key)], Tags: Keys.map(Key => ({ Key })) }))
  }
  const publicSubnet = 'Zones/eu-west-1a/SubnetPublicUtility'
  testDrifts(shapes['own subnets'](1), [
    {
      what: 'takes away that one is shared with the cluster',
      done: untag(publicSubnet, clusterTag),
      repaired: ['CreateTags a/SubnetPublicUtility'],
    },
    {
      what: 'takes away that a route table is shared with the cluster',
      done: untag('Zones/eu-west-1a/ZoneRouteTable', clusterTag),
      repaired: ['CreateTags a/ZoneRouteTable'],
    },
    {
      what: 'takes away for which load balancers one is',
      done: untag(publicSubnet, 'kubernetes.io/role/elb', 'gardener.cloud/managed-tag'),
      repaired: ['CreateTags a/SubnetPublicUtility'],
    },
    {
      what: 'tags one for another cluster, which stays',
      done: ({ ec2, id }) =>
        ec2.send(
          new CreateTagsCommand({
            Resources: [id(publicSubnet)],
            Tags: [{ Key: 'kubernetes.io/cluster/shoot--foo--other', Value: 'shared' }],
          }),
        ),
      repaired: [],
      survives: async hands =>
        expect(await tagsOf(hands, hands.id(publicSubnet))).toContainEqual(
          expect.objectContaining({ Key: 'kubernetes.io/cluster/shoot--foo--other', Value: 'shared' }),
        ),
    },
  ])
})
