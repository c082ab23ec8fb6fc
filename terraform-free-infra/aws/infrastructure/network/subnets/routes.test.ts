import {
  AttachVpnGatewayCommand,
  CreateRouteCommand,
  CreateVpnGatewayCommand,
  DeleteRouteCommand,
  DescribeRouteTablesCommand,
  EnableVgwRoutePropagationCommand,
  ReplaceRouteCommand,
  type Route,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws, setLearnedRanges } from '../../../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { shootIn } from '../testing/shoot.ts'
import { zonesOf } from '../testing/zones.ts'
import { routeAttributes } from './routes.ts'

const both: Partial<DesiredInfrastructure> = {
  ipFamilies: ['IPv4', 'IPv6'],
  vpc: { kind: 'managed', cidr: '10.250.0.0/16', dedicatedTenancy: false, ipv6: { kind: 'amazon' } },
  zones: zonesOf(1),
}
const ipv4 = { zones: zonesOf(1) }
const any = { DestinationCidrBlock: '0.0.0.0/0' }
const tables = ['MainRouteTable', 'Zones/eu-west-1a/ZoneRouteTable']

const setUp = (visibleAfter = 0) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false, visibleAfter } })
  return { aws, clock, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>

const tableId = ({ stored }: Shoot, key: string): string => stored.state[key] ?? ''

/** A VPN gateway of a user propagates ranges to the tables of the shoot. */
const propagate = async (shoot: Shoot, learned: readonly string[]) => {
  const { ec2, stored } = shoot
  const { VpnGateway } = await ec2.send(new CreateVpnGatewayCommand({ Type: 'ipsec.1' }))
  const GatewayId = VpnGateway?.VpnGatewayId ?? ''
  await ec2.send(new AttachVpnGatewayCommand({ VpcId: stored.state.VPC, VpnGatewayId: GatewayId }))
  for (const key of tables) {
    const RouteTableId = tableId(shoot, key)
    await ec2.send(new EnableVgwRoutePropagationCommand({ GatewayId, RouteTableId }))
  }
  setLearnedRanges(shoot.aws.account(), 'eu-west-1', GatewayId, learned)
  shoot.writes()
}

const staticRoutes = async (shoot: Shoot, key: string) => {
  const command = new DescribeRouteTablesCommand({ RouteTableIds: [tableId(shoot, key)] })
  const { RouteTables: [table] = [] } = await shoot.ec2.send(command)
  return (table?.Routes ?? []).filter(({ Origin }) => Origin === 'CreateRoute')
}

describe('a route that a VPN gateway propagates', () => {
  test('is no route of the shoot, whatever its destination is', async () => {
    const shoot = setUp()
    await shoot.reconcile(both)
    await propagate(shoot, ['0.0.0.0/0', '::/0', '64:ff9b::/96', '10.0.0.0/8'])
    await shoot.reconcile(both)
    expect(shoot.writes()).toEqual([])
    expect(await shoot.planned(both)).toEqual([])
  })

  test('does not replace a route of the shoot that was deleted', async () => {
    const shoot = setUp()
    await shoot.reconcile(both)
    await propagate(shoot, ['0.0.0.0/0', '::/0'])
    for (const key of tables) {
      const RouteTableId = tableId(shoot, key)
      await shoot.ec2.send(new DeleteRouteCommand({ RouteTableId, ...any }))
      await shoot.ec2.send(new DeleteRouteCommand({ RouteTableId, DestinationIpv6CidrBlock: '::/0' }))
    }
    shoot.writes()
    await shoot.reconcile(both)
    expect(shoot.writes()).toEqual(['CreateRoute', 'CreateRoute', 'CreateRoute', 'CreateRoute'])
    const { state } = shoot.stored
    expect(await staticRoutes(shoot, 'MainRouteTable')).toContainEqual(
      expect.objectContaining({ ...any, GatewayId: state.InternetGateway }),
    )
    expect(await staticRoutes(shoot, 'Zones/eu-west-1a/ZoneRouteTable')).toContainEqual(
      expect.objectContaining({ ...any, NatGatewayId: state['Zones/eu-west-1a/NATGateway'] }),
    )
    expect(await shoot.planned(both)).toEqual([])
  })

  test('does not hide that a route of the shoot has another target', async () => {
    const shoot = setUp()
    await shoot.reconcile(both)
    await propagate(shoot, ['0.0.0.0/0'])
    const RouteTableId = tableId(shoot, 'Zones/eu-west-1a/ZoneRouteTable')
    const GatewayId = shoot.stored.state.InternetGateway
    await shoot.ec2.send(new ReplaceRouteCommand({ RouteTableId, ...any, GatewayId }))
    shoot.writes()
    await shoot.reconcile(both)
    expect(shoot.writes()).toEqual(['ReplaceRoute'])
    expect(await shoot.planned(both)).toEqual([])
  })
})

describe('a route that changed after it was read', () => {
  const stale = 8_000
  const change = async (shoot: Shoot, first: 'delete' | 'replace') => {
    const RouteTableId = tableId(shoot, 'Zones/eu-west-1a/ZoneRouteTable')
    const GatewayId = shoot.stored.state.InternetGateway
    const remove = () => shoot.ec2.send(new DeleteRouteCommand({ RouteTableId, ...any }))
    if (first === 'replace') {
      await shoot.ec2.send(new ReplaceRouteCommand({ RouteTableId, ...any, GatewayId }))
      await shoot.clock.advance(stale)
      return remove()
    }
    await remove()
    await shoot.clock.advance(stale)
    return shoot.ec2.send(new CreateRouteCommand({ RouteTableId, ...any, GatewayId }))
  }

  test.each([
    ['is created if it was deleted', 'replace', ['ReplaceRoute', 'CreateRoute']],
    ['is replaced if it was created', 'delete', ['CreateRoute', 'ReplaceRoute']],
  ] as const)('%s', async (_, first, writes) => {
    const shoot = setUp(stale)
    await shoot.reconcile(ipv4)
    await shoot.clock.advance(stale)
    await change(shoot, first)
    shoot.writes()
    await shoot.reconcile(ipv4)
    expect(shoot.writes()).toEqual(writes)
    await shoot.clock.advance(stale)
    expect(await staticRoutes(shoot, 'Zones/eu-west-1a/ZoneRouteTable')).toContainEqual(
      expect.objectContaining({ ...any, NatGatewayId: shoot.stored.state['Zones/eu-west-1a/NATGateway'] }),
    )
    expect(await shoot.planned(ipv4)).toEqual([])
  })
})

describe('the routes of a table', () => {
  const of = (parts: Route): Route => ({ DestinationCidrBlock: '0.0.0.0/0', State: 'active', ...parts })

  test.each<[string, Route]>([
    ['that a VPN gateway propagates', { Origin: 'EnableVgwRoutePropagation', GatewayId: 'vgw-1' }],
    ['that a route server advertises', { Origin: 'Advertisement', NetworkInterfaceId: 'eni-1' }],
    ['of the table itself with another target', { Origin: 'CreateRouteTable', NatGatewayId: 'nat-2' }],
    ['of the table itself', { Origin: 'CreateRouteTable', GatewayId: 'local' }],
    ['without an origin to the VPC', { GatewayId: 'local' }],
  ])('%s are not attributes, in any order', (_, parts) => {
    const created = of({ Origin: 'CreateRoute', NatGatewayId: 'nat-1' })
    for (const routes of [
      [created, of(parts)],
      [of(parts), created],
    ])
      expect(routeAttributes(routes)).toEqual({ 'route 0.0.0.0/0': 'nat-1' })
    expect(routeAttributes([of(parts)])).toEqual({})
  })

  test('to prefix lists are not attributes', () => {
    expect(routeAttributes([{ DestinationPrefixListId: 'pl-1', NatGatewayId: 'nat-1' }])).toEqual({})
  })

  test('without an origin or with an unknown target are attributes', () => {
    expect(routeAttributes([of({ NatGatewayId: 'nat-1' })])).toEqual({ 'route 0.0.0.0/0': 'nat-1' })
    expect(routeAttributes([of({ Origin: 'CreateRoute' })])).toEqual({ 'route 0.0.0.0/0': 'nothing' })
  })
})
