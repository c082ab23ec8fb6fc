import {
  AssociateRouteTableCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeTagsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { makeNetwork } from '../../../../sandbox/providers/aws/simulator/testing/network.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { graphOf, withoutMemory } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { OwnZone } from '../desired-infrastructure.ts'
import { networkReads } from '../network/reads.ts'
import { convergeOver, desiredOf } from '../testing/converge.ts'
import { addOwnZones } from './own-subnets.ts'

const cluster = 'kubernetes.io/cluster/shoot--foo--bar'
const elb = 'kubernetes.io/role/elb'
const internalElb = 'kubernetes.io/role/internal-elb'
const marker = 'gardener.cloud/managed-tag'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const { ec2, vpcId, subnets } = await makeNetwork(aws)

  const [workers, publicOf] = subnets
  const more = async (cidr: string, zone = 'eu-west-1a') => {
    const command = new CreateSubnetCommand({ VpcId: vpcId, CidrBlock: cidr, AvailabilityZone: zone })
    return (await ec2.send(command)).Subnet?.SubnetId ?? ''
  }
  const table = async (subnet?: string) => {
    const { RouteTable } = await ec2.send(new CreateRouteTableCommand({ VpcId: vpcId }))
    const RouteTableId = RouteTable?.RouteTableId ?? ''
    if (subnet !== undefined)
      await ec2.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId: subnet }))
    return RouteTableId
  }
  const tag = async (id: string, ...tags: (readonly [string, string])[]) => {
    const Tags = tags.map(([Key, Value]) => ({ Key, Value }))
    await ec2.send(new CreateTagsCommand({ Resources: [id], Tags }))
  }
  const tagsOf = async (id: string) => {
    const filter = { Name: 'resource-id', Values: [id] }
    const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters: [filter] }))
    return Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]))
  }
  const graphFor = (zones: readonly OwnZone[], tagRouteTables = true, destroying = false) => {
    const desired = desiredOf({
      vpc: { kind: 'existing', id: vpcId, ipv6: false },
      zones: { kind: 'own', zones, tagRouteTables },
    })
    const graph = graphOf<AwsCloud>()
    addOwnZones(graph, desired, { reads: networkReads(desired) }, { destroying })
    return graph.build()
  }
  const calls = () => aws.calls.all().map(({ action }) => action)
  const writes = () => calls().filter(action => !action.startsWith('Describe'))
  const own = convergeOver(aws.requestHandler, clock)
  return { aws, ec2, workers, other: publicOf, more, table, tag, tagsOf, graphFor, calls, writes, ...own }
}

const zoneOf = (workers: string, parts: Partial<OwnZone> = {}): OwnZone => ({
  name: 'eu-west-1a',
  suffix: 'z0',
  workers,
  internal: undefined,
  public: undefined,
  ...parts,
})

describe("the user's subnets", () => {
  test('get the tags of load balancers, in one call for equal tags', async () => {
    const { converge, graphFor, workers, more, table, tagsOf, aws, writes, calls } = await setUp()
    const [internal, open] = [await more('10.0.100.0/24'), await more('10.0.101.0/24')]
    const routes = await table(workers)
    aws.calls.clear()
    const graph = graphFor([zoneOf(workers, { internal, public: open })])
    const { state } = await converge(graph)
    expect(await tagsOf(open)).toEqual({ [cluster]: 'shared', [elb]: '1', [marker]: elb })
    expect(await tagsOf(internal)).toEqual({ [cluster]: 'shared', [internalElb]: '1', [marker]: internalElb })
    expect(await tagsOf(routes)).toEqual({ [cluster]: 'shared' })
    // With these tags the cloud controller would treat it as a subnet for load balancers.
    expect(await tagsOf(workers)).toEqual({})
    expect(writes()).toHaveLength(3)
    expect(withoutMemory(state)).toEqual({
      'Zones/eu-west-1a/SubnetWorkers': workers,
      'Zones/eu-west-1a/SubnetWorkersCIDR': '10.0.0.0/24',
      'Zones/eu-west-1a/SubnetPublicUtility': open,
      'Zones/eu-west-1a/SubnetPublicUtilityCIDR': '10.0.101.0/24',
      'Zones/eu-west-1a/SubnetPrivateUtility': internal,
      'Zones/eu-west-1a/SubnetPrivateUtilityCIDR': '10.0.100.0/24',
      'Zones/eu-west-1a/ZoneRouteTable': routes,
    })
    aws.calls.clear()
    expect((await converge(graph, { state })).state).toEqual(state)
    expect(calls()).toEqual(['DescribeSubnets', 'DescribeRouteTables'])
  })

  test('retain tags of the user', async () => {
    const { converge, graphFor, workers, more, tag, tagsOf } = await setUp()
    const open = await more('10.0.101.0/24')
    await tag(open, [elb, '1'], ['team', 'blue'], ['kubernetes.io/cluster/other', 'shared'])
    const zones = [zoneOf(workers, { public: open })]
    const { state } = await converge(graphFor(zones, false))
    const users = { [elb]: '1', team: 'blue', 'kubernetes.io/cluster/other': 'shared' }
    expect(await tagsOf(open)).toEqual({ ...users, [cluster]: 'shared' })
    await converge(graphFor(zones, false, true), { state, destroy: true })
    expect(await tagsOf(open)).toEqual(users)
  })

  test('of another cluster retain its tags', async () => {
    const { converge, graphFor, workers, other, more, tag, tagsOf } = await setUp()
    const theirs = { 'kubernetes.io/cluster/other': 'shared', [elb]: '1', [marker]: elb }
    await tag(other, ...Object.entries(theirs))
    const zones = [zoneOf(workers, { public: await more('10.0.101.0/24') })]
    const { state } = await converge(graphFor(zones))
    expect(await tagsOf(other)).toEqual(theirs)
    await converge(graphFor(zones, true, true), { state, destroy: true })
    expect(await tagsOf(other)).toEqual(theirs)
  })

  test('have untagged route tables once the pod network has an overlay', async () => {
    const { converge, graphFor, workers, more, table, tagsOf } = await setUp()
    const zones = [zoneOf(workers, { public: await more('10.0.101.0/24') })]
    const routes = await table(workers)
    await converge(graphFor(zones))
    expect(await tagsOf(routes)).toEqual({ [cluster]: 'shared' })
    // A failed step may have removed the table from the state.
    await converge(graphFor(zones, false), { state: { 'Zones/eu-west-1a/SubnetWorkers': workers } })
    expect(await tagsOf(routes)).toEqual({})
  })

  test('lose only the cluster tag and the marker when the shoot is deleted', async () => {
    const { converge, graphFor, workers, other, more, table, tag, tagsOf, writes, aws } = await setUp()
    const open = await more('10.0.101.0/24')
    const routes = await table(workers)
    const zones = [zoneOf(workers, { public: open })]
    const { state } = await converge(graphFor(zones))
    await tag(workers, [cluster, 'shared'])
    await tag(other, [cluster, 'shared'])
    aws.calls.clear()
    const after = await converge(graphFor(zones, true, true), { state, destroy: true })
    expect(withoutMemory(after.state)).toEqual({})
    expect(await tagsOf(open)).toEqual({ [elb]: '1' })
    expect(await tagsOf(routes)).toEqual({})
    // Tagged like in older versions.
    expect(await tagsOf(workers)).toEqual({})
    expect(await tagsOf(other)).toEqual({ [cluster]: 'shared' })
    expect(new Set(writes())).toEqual(new Set(['DeleteTags']))
  })

  test('regain only the tag that was removed', async () => {
    const { converge, graphFor, workers, more, tagsOf, ec2, aws, plan } = await setUp()
    const open = await more('10.0.101.0/24')
    const graph = graphFor([zoneOf(workers, { public: open })], false)
    const { state } = await converge(graph)
    await ec2.send(new DeleteTagsCommand({ Resources: [open], Tags: [{ Key: elb }] }))
    expect((await plan(graph, state)).actions.flatMap(({ changes }) => changes)).toEqual([
      { attribute: `${open} ${elb}`, before: undefined, after: '1' },
    ])
    aws.calls.clear()
    await converge(graph, { state })
    expect(await tagsOf(open)).toEqual({ [cluster]: 'shared', [elb]: '1', [marker]: elb })
  })

  test('have tagged route tables, one for several zones and the main table for zones without one', async () => {
    const { converge, graphFor, workers, other, table, tagsOf, writes, aws, more } = await setUp()
    const third = await more('10.0.50.0/24', 'eu-west-1c')
    const routes = await table(workers)
    aws.calls.clear()
    const { state } = await converge(
      graphFor([
        zoneOf(workers),
        zoneOf(other, { name: 'eu-west-1b', suffix: 'z1' }),
        zoneOf(third, { name: 'eu-west-1c', suffix: 'z2' }),
      ]),
    )
    const main = state['Zones/eu-west-1b/ZoneRouteTable'] ?? ''
    expect(main).toMatch(/^rtb-/)
    expect(main).not.toBe(routes)
    expect(state['Zones/eu-west-1c/ZoneRouteTable']).toBe(main)
    expect(await tagsOf(main)).toEqual({ [cluster]: 'shared' })
    expect(writes()).toEqual(['CreateTags'])
  })

  test('are found by their tags if the config does not name them', async () => {
    const { converge, graphFor, workers, more, tag, tagsOf } = await setUp()
    const open = await more('10.0.101.0/24')
    await tag(open, [elb, '1'], [cluster, 'owned'])
    const zones = [zoneOf(workers)]
    const { state } = await converge(graphFor(zones, false))
    expect(state['Zones/eu-west-1a/SubnetPublicUtility']).toBe(open)
    await converge(graphFor(zones, false, true), { state, destroy: true })
    expect(await tagsOf(open)).toEqual({ [elb]: '1', [cluster]: 'owned' })
  })

  test('are refused if several of a zone are tagged, or another one than in the config', async () => {
    const { converge, graphFor, workers, more, tag } = await setUp()
    const [one, two] = [await more('10.0.101.0/24'), await more('10.0.102.0/24')]
    await tag(one, [elb, '1'], [cluster, 'shared'])
    await expect(converge(graphFor([zoneOf(workers, { public: two })]))).rejects.toThrow(
      `publicSubnetID is ${two}, but ${one} has the tags`,
    )
    await tag(two, [elb, '1'], [cluster, 'shared'])
    await expect(converge(graphFor([zoneOf(workers)]))).rejects.toThrow('several subnets have the tags')
    // The deletion is not blocked.
    await converge(graphFor([zoneOf(workers)], true, true), { destroy: true })
  })

  test('an unknown profile is refused', async () => {
    const { converge, graphFor } = await setUp()
    await expect(converge(graphFor([zoneOf('subnet-0123456789abcdef0')]))).rejects.toThrow(
      'worker subnet eu-west-1a does not exist, and Trellis must not create it',
    )
  })
})
