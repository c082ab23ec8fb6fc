import { CreateRouteTableCommand, CreateSecurityGroupCommand, EC2Client } from '@aws-sdk/client-ec2'
import {
  CreateLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing'
import { expect, test } from 'vitest'
import { accountContents, operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { namespace, type ObjectParts } from '../../functions/aws/infrastructure/testing/objects.ts'
import { stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { makeSubnets } from './account.ts'
import { dataOf } from './recorded-shoot.ts'

const isWrite = ({ action }: { readonly action: string }) => !/^(?:Describe|Get|List)/.test(action)

test('shoots in one VPC of the user do not affect each other, even when one of them is deleted', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const made = await makeSubnets(aws.requestHandler)
  const before = await accountContents(aws.requestHandler)
  const shoot = (name: string, zone: object) => {
    const parts: ObjectParts = {
      vpc: { id: made.get('vpc-00000000000000001') },
      zones: [zone],
      metadata: { name, namespace: `shoot--foo--${name}`, uid: `uid-${name}` },
    }
    return stepsOver(aws.requestHandler, clock, parts)
  }
  const range = (third: number) => ({
    workers: `10.250.${third}.0/20`,
    public: `10.250.${third + 16}.0/22`,
    internal: `10.250.${third + 20}.0/22`,
  })
  const shoots = [
    shoot('own', {
      name: 'eu-west-1a',
      workersSubnetID: made.get('subnet-0000000000000a001'),
      publicSubnetID: made.get('subnet-0000000000000a002'),
    }),
    shoot('one', { name: 'eu-west-1a', ...range(128) }),
    shoot('two', { name: 'eu-west-1b', ...range(192) }),
  ]
  for (const { until } of shoots) await until('reconcile')
  while (shoots.length > 0) {
    for (const { until } of shoots) {
      aws.calls.clear()
      await until('reconcile')
      expect(aws.calls.all().filter(isWrite)).toEqual([])
    }
    await shoots.splice(1 % shoots.length, 1)[0]?.until('remove')
  }
  expect(await accountContents(aws.requestHandler)).toEqual(before)
})

test('in the VPC of the user, the cluster tag and a matching name prove nothing: another resource is created', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const made = await makeSubnets(aws.requestHandler)
  const id = made.get('vpc-00000000000000001')
  const { RouteTable } = await new EC2Client(operator(aws.requestHandler)).send(
    new CreateRouteTableCommand({
      VpcId: id,
      TagSpecifications: [
        {
          ResourceType: 'route-table',
          Tags: [
            { Key: `kubernetes.io/cluster/${namespace}`, Value: 'owned' },
            { Key: 'Name', Value: `${namespace}-private-eu-west-1a` },
          ],
        },
      ],
    }),
  )
  const before = await accountContents(aws.requestHandler)
  const zone = {
    name: 'eu-west-1a',
    workers: '10.250.128.0/20',
    public: '10.250.144.0/22',
    internal: '10.250.148.0/22',
  }
  const ours = stepsOver(aws.requestHandler, clock, { vpc: { id }, zones: [zone] })
  await ours.until('reconcile')
  expect(JSON.stringify(ours.status().state)).not.toContain(RouteTable?.RouteTableId)
  await ours.until('remove')
  expect(await accountContents(aws.requestHandler)).toEqual(before)
})

test('a deletion retains the load balancers and groups of a shoot with the same name that was first in the VPC', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const id = (await makeSubnets(aws.requestHandler)).get('vpc-00000000000000001')
  const shoot = (uid: string, third: number) => {
    const zone = {
      name: 'eu-west-1a',
      workers: `10.250.${third}.0/20`,
      public: `10.250.${third + 16}.0/22`,
      internal: `10.250.${third + 20}.0/22`,
    }
    // Without SSH, no key shows which of the two is the owner of a name.
    const spec = { sshPublicKey: undefined } as never
    return stepsOver(aws.requestHandler, clock, { vpc: { id }, zones: [zone], metadata: { uid }, spec })
  }
  const theirs = shoot('uid-in-another-landscape', 128)
  await theirs.until('reconcile')
  const Tags = [{ Key: `kubernetes.io/cluster/${namespace}`, Value: 'owned' }]
  const { GroupId = '' } = await new EC2Client(operator(aws.requestHandler)).send(
    new CreateSecurityGroupCommand({
      VpcId: id,
      GroupName: 'k8s-elb-a1',
      Description: 'x',
      TagSpecifications: [{ ResourceType: 'security-group', Tags }],
    }),
  )
  const elb = new ElasticLoadBalancingClient(operator(aws.requestHandler))
  await elb.send(
    new CreateLoadBalancerCommand({
      LoadBalancerName: 'a1',
      Listeners: [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 30_000 }],
      Subnets: [dataOf(theirs.status())['Zones/eu-west-1a/SubnetPublicUtility'] ?? ''],
      SecurityGroups: [GroupId],
      Tags,
    }),
  )
  const before = await accountContents(aws.requestHandler)
  const ours = shoot('infrastructure-uid', 192)
  // Both would need a group of the nodes with the same name.
  await expect(ours.until('reconcile')).rejects.toThrow(`${namespace}-nodes`)
  await ours.until('remove')
  expect((await elb.send(new DescribeLoadBalancersCommand({}))).LoadBalancerDescriptions).toHaveLength(1)
  expect(await accountContents(aws.requestHandler)).toEqual(before)
})
