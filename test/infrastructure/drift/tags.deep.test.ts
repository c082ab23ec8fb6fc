import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand } from '@aws-sdk/client-ec2'
import { describe, expect } from 'vitest'
import { namespace } from '../../../functions/aws/infrastructure/testing/objects.ts'
import { type Drift, dualStack, testDrifts, usual } from './drift.ts'

const clusterTag = `kubernetes.io/cluster/${namespace}`

const isRouteTable = (key: string): boolean => key.endsWith('RouteTable')

/** Returns the changes for every resource with our tags. */
const changedTags = (key: string): readonly Drift[] => [
  {
    what: `a user removes the cluster tag from ${key}`,
    done: ({ ec2, id }) =>
      ec2.send(new DeleteTagsCommand({ Resources: [id(key)], Tags: [{ Key: clusterTag }] })),
    repaired: [`CreateTags ${key.replace('Zones/eu-west-1', '')}`],
  },
  {
    what: `a user renames ${key} and adds tags: those that the config does not ignore are removed`,
    done: ({ ec2, id }) =>
      ec2.send(
        new CreateTagsCommand({
          Resources: [id(key)],
          Tags: [
            { Key: 'Name', Value: 'ours' },
            { Key: 'cost-centre', Value: '4711' },
            { Key: 'team', Value: 'blue' },
            { Key: 'billing/unit', Value: '7' },
          ],
        }),
      ),
    // The Go extension does not change the tags of a route table.
    repaired: (isRouteTable(key) ? ['CreateTags'] : ['CreateTags', 'DeleteTags']).map(
      action => `${action} ${key.replace('Zones/eu-west-1', '')}`,
    ),
    survives: async ({ ec2, id }) => {
      const Filters = [{ Name: 'resource-id', Values: [id(key)] }]
      const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters }))
      const keys = Tags.map(({ Key }) => Key)
      expect(keys).toEqual(expect.arrayContaining(['team', 'billing/unit']))
      expect(keys.includes('cost-centre')).toBe(isRouteTable(key))
    },
  },
]

describe('tags', () => {
  testDrifts(
    usual,
    [
      'VPC',
      'DHCPOptions',
      'InternetGateway',
      'MainRouteTable',
      'NodesSecurityGroup',
      'VPCEndpoints/s3',
      'Zones/eu-west-1a/SubnetWorkers',
      'Zones/eu-west-1a/SubnetPrivateUtility',
      'Zones/eu-west-1a/SubnetPublicUtility',
      'Zones/eu-west-1a/NATGatewayElasticIP',
      'Zones/eu-west-1a/NATGateway',
      'Zones/eu-west-1a/ZoneRouteTable',
    ].flatMap(changedTags),
  )
  testDrifts(usual, [
    {
      what: 'a user removes the load balancer role tag from a subnet',
      done: ({ ec2, id }) =>
        ec2.send(
          new DeleteTagsCommand({
            Resources: [id('Zones/eu-west-1b/SubnetPublicUtility')],
            Tags: [{ Key: 'kubernetes.io/role/elb' }],
          }),
        ),
      repaired: ['CreateTags b/SubnetPublicUtility'],
    },
  ])
})

describe('the tags with IPv6', () => {
  testDrifts(dualStack, changedTags('EgressOnlyInternetGateway'))
})
