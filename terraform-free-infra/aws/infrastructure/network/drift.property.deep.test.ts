import {
  DeleteRouteCommand,
  DeleteTagsCommand,
  DisassociateRouteTableCommand,
  ModifySubnetAttributeCommand,
  ModifyVpcAttributeCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { runs } from '../../../../test/cases/share.ts'
import { withoutMemory } from '../../../engine/engine.ts'
import { shootIn } from './testing/shoot.ts'
import { zonesOf } from './testing/zones.ts'

type Shoot = ReturnType<typeof shootIn>
interface Drift {
  readonly make: (shoot: Shoot) => Promise<unknown>
  readonly repair: string
}

const two = { zones: zonesOf(2) }
const everywhere = { DestinationCidrBlock: '0.0.0.0/0' }
const id = ({ stored }: Shoot, key: string): string => stored.state[key] ?? ''
const clusterTag = { Key: 'kubernetes.io/cluster/shoot--foo--bar' }

const inZone = (zone: string): readonly Drift[] => {
  const of = (key: string) => `Zones/${zone}/${key}`
  return [
    {
      make: shoot =>
        shoot.ec2.send(
          new DeleteRouteCommand({ RouteTableId: id(shoot, of('ZoneRouteTable')), ...everywhere }),
        ),
      repair: `update route table ${zone}`,
    },
    {
      make: shoot =>
        shoot.ec2.send(
          new DisassociateRouteTableCommand({ AssociationId: id(shoot, of('SubnetWorkersRouteTableAssoc')) }),
        ),
      repair: `create route table association workers ${zone}`,
    },
    {
      make: shoot =>
        shoot.ec2.send(
          new ModifySubnetAttributeCommand({
            SubnetId: id(shoot, of('SubnetPublicUtility')),
            MapPublicIpOnLaunch: { Value: true },
          }),
        ),
      repair: `update subnet public ${zone}`,
    },
    ...(
      [
        ['NATGateway', 'NAT gateway'],
        ['NATGatewayElasticIP', 'elastic address'],
        ['SubnetPrivateUtility', 'subnet internal'],
      ] as const
    ).map(([key, what]) => ({
      make: (shoot: Shoot) =>
        shoot.ec2.send(new DeleteTagsCommand({ Resources: [id(shoot, of(key))], Tags: [clusterTag] })),
      repair: `update ${what} ${zone}`,
    })),
  ]
}

const drifts: readonly Drift[] = [
  ...inZone('eu-west-1a'),
  ...inZone('eu-west-1b'),
  {
    make: shoot =>
      shoot.ec2.send(
        new ModifyVpcAttributeCommand({ VpcId: id(shoot, 'VPC'), EnableDnsHostnames: { Value: false } }),
      ),
    repair: 'update VPC',
  },
  {
    make: shoot =>
      shoot.ec2.send(new DeleteTagsCommand({ Resources: [id(shoot, 'DHCPOptions')], Tags: [clusterTag] })),
    repair: 'update DHCP options',
  },
  {
    make: shoot =>
      shoot.ec2.send(
        new DeleteTagsCommand({ Resources: [id(shoot, 'InternetGateway')], Tags: [{ Key: 'Name' }] }),
      ),
    repair: 'update internet gateway',
  },
  {
    make: shoot =>
      shoot.ec2.send(
        new RevokeSecurityGroupIngressCommand({
          GroupId: id(shoot, 'NodesSecurityGroup'),
          IpPermissions: [
            { IpProtocol: 'udp', FromPort: 30_000, ToPort: 32_767, IpRanges: [{ CidrIp: '10.250.96.0/22' }] },
          ],
        }),
      ),
    repair: 'update nodes security group',
  },
  {
    make: shoot =>
      shoot.ec2.send(new DeleteRouteCommand({ RouteTableId: id(shoot, 'MainRouteTable'), ...everywhere })),
    repair: 'update route table main',
  },
]

test('any external change is reverted exactly, and then nothing differs', async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 0 }, defaultVpc: false } })
  const shoot = shootIn(aws, clock)
  await shoot.reconcile(two)
  const there = aws.account().snapshot()
  const state = withoutMemory(shoot.stored.state)
  await fc.assert(
    fc.asyncProperty(fc.subarray([...drifts.keys()]), async chosen => {
      aws.account().restore(there)
      shoot.stored.state = state
      const made = chosen.flatMap(index => drifts[index] ?? [])
      for (const drift of made) await drift.make(shoot)
      expect((await shoot.planned(two)).toSorted()).toEqual(made.map(({ repair }) => repair).toSorted())
      await shoot.reconcile(two)
      expect(await shoot.planned(two)).toEqual([])
    }),
    { numRuns: runs(25) },
  )
})
