import { CreateTagsCommand } from '@aws-sdk/client-ec2'
import {
  CreateFileSystemCommand,
  CreateMountTargetCommand,
  DeleteFileSystemCommand,
  DeleteMountTargetCommand,
  DescribeFileSystemsCommand,
  DescribeMountTargetsCommand,
  EFSClient,
} from '@aws-sdk/client-efs'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { makeNetwork } from '../../../../sandbox/providers/aws/simulator/testing/network.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { graphOf, type ResourceType, withoutMemory } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure, ManagedZone } from '../desired-infrastructure.ts'
import { networkReads } from '../network/reads.ts'
import { convergeOver, desiredOf } from '../testing/converge.ts'
import { addStorage } from './storage.ts'

/** The resources that the storage needs, as foreign resources. */
const there = (
  what: string,
  ids: ReadonlyMap<string, string>,
): ResourceType<AwsCloud, Record<never, never>, { id: string }> => ({
  what,
  list: async () =>
    [...ids].map(([key, id]) => ({
      id,
      key,
      status: 'ready' as const,
      attributes: {},
      outcome: { id },
      foreign: true,
    })),
})

const zone = (letter: string, index: number): ManagedZone => ({
  name: `eu-west-1${letter}`,
  suffix: `z${index}`,
  index,
  workers: `10.0.${index}.0/24`,
  internal: '10.250.112.0/22',
  public: '10.250.96.0/22',
  elasticIp: undefined,
})
const zones = [zone('a', 0), zone('b', 1)]

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, efs: { durations: { scale: 1 } } })
  const { ec2, vpcId, subnets, groupId, interfaces } = await makeNetwork(aws)
  const Tags = [{ Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' }]
  await ec2.send(new CreateTagsCommand({ Resources: [...subnets.slice(0, 2)], Tags }))
  const efs = new EFSClient(clientSettings(aws))
  aws.calls.clear()
  const graphFor = (parts: Partial<DesiredInfrastructure>, destroying = false) => {
    const desired = desiredOf({
      vpc: { kind: 'existing', id: vpcId, ipv6: false },
      zones: { kind: 'managed', zones },
      ...parts,
    })
    const graph = graphOf<AwsCloud>()
    const ids = new Map(zones.map(({ name }, index) => [name, subnets[index] ?? '']))
    const subnetType = there('test subnet', ids)
    const workers = new Map(
      zones.map(({ name }) => [name, graph.add(subnetType, name, { attributes: {} })] as const),
    )
    const group = graph.add(there('test group', new Map([['', groupId]])), '', { attributes: {} })
    addStorage(graph, desired, { reads: networkReads(desired), workers, nodesGroup: group }, { destroying })
    return graph.build()
  }
  const systems = async () => (await efs.send(new DescribeFileSystemsCommand({}))).FileSystems ?? []
  const targets = async (FileSystemId: string) =>
    (await efs.send(new DescribeMountTargetsCommand({ FileSystemId }))).MountTargets ?? []
  const actions = () => aws.calls.all().map(({ action }) => action)
  const writes = () => actions().filter(action => !action.startsWith('Describe'))
  const giveOne = async () => {
    const { FileSystemId = '' } = await efs.send(new CreateFileSystemCommand({ CreationToken: 'users' }))
    await clock.advance(10_000)
    aws.calls.clear()
    return FileSystemId
  }
  const own = { ...convergeOver(aws.requestHandler, clock) }
  /** Without the entries that the stubs of the test write to the state. */
  const efsState = (state: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(state).filter(([key]) => key.startsWith('efs')))
  return {
    aws,
    clock,
    efs,
    subnets,
    groupId,
    interfaces,
    graphFor,
    systems,
    targets,
    actions,
    writes,
    giveOne,
    efsState,
    ...own,
  }
}
const managed = { fileSystem: { id: undefined } }

describe('the storage of a shoot', () => {
  test('is an encrypted file system with a mount target in each zone', async () => {
    const { converge, graphFor, systems, targets, efsState, subnets, groupId, actions } = await setUp()
    const { state } = await converge(graphFor(managed))
    const [system, ...more] = await systems()
    expect(more).toEqual([])
    expect(system).toMatchObject({ Encrypted: true, CreationToken: 'shoot-uid', LifeCycleState: 'available' })
    expect(Object.fromEntries((system?.Tags ?? []).map(({ Key, Value }) => [Key, Value]))).toEqual({
      'kubernetes.io/cluster/shoot--foo--bar': 'owned',
      'managed-by-gardener': 'true',
      Name: 'shoot--foo--bar',
    })
    const id = system?.FileSystemId ?? ''
    const made = await targets(id)
    expect(made.map(({ LifeCycleState }) => LifeCycleState)).toEqual(['available', 'available'])
    expect(efsState(state)).toEqual({
      efsSystemID: id,
      ...Object.fromEntries(
        made.map(({ SubnetId, MountTargetId }) => [
          `efsMountTargets/${id}_${SubnetId}_${groupId}`,
          MountTargetId,
        ]),
      ),
    })
    expect(made.map(({ SubnetId }) => SubnetId).sort()).toEqual(subnets.slice(0, 2).sort())
    expect(actions().filter(action => action.startsWith('Create'))).toEqual([
      'CreateFileSystem',
      'CreateMountTarget',
      'CreateMountTarget',
    ])
  })

  test('is read and not written if nothing differs, whatever the number of zones', async () => {
    const { converge, graphFor, aws, actions } = await setUp()
    const { state } = await converge(graphFor(managed))
    aws.calls.clear()
    const after = await converge(graphFor(managed), { state })
    expect(actions().sort()).toEqual(['DescribeMountTargets', 'DescribeSubnets'])
    expect(after.state).toEqual(state)
  })

  test('is adopted by its token and its zones after the state was lost', async () => {
    const { converge, graphFor, aws, writes, efsState } = await setUp()
    const { state } = await converge(graphFor(managed))
    aws.calls.clear()
    const after = await converge(graphFor(managed))
    // AWS does not list the group of a mount target, so it is set again.
    expect(writes()).toEqual(['ModifyMountTargetSecurityGroups', 'ModifyMountTargetSecurityGroups'])
    expect(efsState(after.state)).toEqual(efsState(state))
  })

  test('is recreated where a mount target was deleted outside', async () => {
    const { converge, graphFor, aws, writes, efs, efsState } = await setUp()
    const { state } = await converge(graphFor(managed))
    const [key = '', id = ''] = Object.entries(state).find(([name]) => name.startsWith('efsMount')) ?? []
    await efs.send(new DeleteMountTargetCommand({ MountTargetId: id }))
    aws.calls.clear()
    const after = await converge(graphFor(managed), { state })
    expect(writes()).toEqual(['CreateMountTarget'])
    expect(after.state[key]).not.toBe(id)
    expect(Object.keys(efsState(after.state)).sort()).toEqual(Object.keys(efsState(state)).sort())
  })

  test('is recreated if all of it was deleted outside', async () => {
    const { converge, graphFor, aws, writes, efs, efsState, clock } = await setUp()
    const { state } = await converge(graphFor(managed))
    for (const [key, id] of Object.entries(state))
      if (key.startsWith('efsMount')) await efs.send(new DeleteMountTargetCommand({ MountTargetId: id }))
    await clock.advance(60_000)
    await efs.send(new DeleteFileSystemCommand({ FileSystemId: state.efsSystemID }))
    await clock.advance(60_000)
    aws.calls.clear()
    const after = await converge(graphFor(managed), { state })
    expect(writes()).toEqual(['CreateFileSystem', 'CreateMountTarget', 'CreateMountTarget'])
    expect(after.state.efsSystemID).not.toBe(state.efsSystemID)
    expect(Object.keys(efsState(after.state))).toHaveLength(3)
  })

  // docs/contract/provider-aws-defects.md#mount-targets-still-going
  test('is deleted once its mount targets are gone', async () => {
    const { converge, graphFor, aws, writes, efsState, systems, interfaces } = await setUp()
    const { state } = await converge(graphFor(managed))
    aws.calls.clear()
    const after = await converge(graphFor(managed, true), { state, destroy: true })
    expect(writes()).toEqual(['DeleteMountTarget', 'DeleteMountTarget', 'DeleteFileSystem'])
    expect(efsState(after.state)).toEqual({})
    expect(await systems()).toEqual([])
    expect(await interfaces()).toEqual([])
  })

  test('is the file system of the user, with mount targets of ours', async () => {
    const { converge, graphFor, giveOne, targets, systems, efsState, writes } = await setUp()
    const id = await giveOne()
    const { state } = await converge(graphFor({ fileSystem: { id } }))
    expect(writes()).toEqual(['CreateMountTarget', 'CreateMountTarget'])
    expect(await targets(id)).toHaveLength(2)
    expect(Object.keys(efsState(state)).every(key => key.startsWith(`efsMountTargets/${id}_`))).toBe(true)
    await converge(graphFor({ fileSystem: { id } }, true), { state, destroy: true })
    expect(await targets(id)).toEqual([])
    expect(await systems()).toHaveLength(1)
  })

  test.each<[string, (given: string) => Partial<DesiredInfrastructure>]>([
    ['switches it off', () => ({ fileSystem: undefined })],
    ['names another one', id => ({ fileSystem: { id } })],
  ])('remains with all its content when the config %s, and is deleted with the shoot', async (_, change) => {
    const { converge, graphFor, giveOne, targets, systems, writes, aws } = await setUp()
    const { state } = await converge(graphFor(managed))
    const made = state.efsSystemID ?? ''
    const given = await giveOne()
    const parts = change(given)
    aws.calls.clear()
    const after = await converge(graphFor(parts), { state })
    expect(writes().filter(action => action.startsWith('Delete'))).toEqual([])
    expect(await targets(made)).toHaveLength(2)
    expect(after.state).toMatchObject(withoutMemory(state))
    expect(after.left).toContainEqual({ label: 'file system', id: made, why: 'it may hold data' })
    await converge(graphFor(parts, true), { state: after.state, destroy: true })
    expect((await systems()).map(({ FileSystemId }) => FileSystemId)).toEqual([given])
  })

  test('is not the foreign file system that an old state names', async () => {
    const { converge, graphFor, giveOne, systems, writes, aws } = await setUp()
    const others = await giveOne()
    aws.calls.clear()
    await converge(graphFor(managed, true), { state: { efsSystemID: others }, destroy: true })
    expect(writes()).toEqual([])
    expect(await systems()).toHaveLength(1)
  })

  test('ignores mount targets in subnets of the user', async () => {
    const { converge, graphFor, giveOne, targets, efs, subnets, writes, aws, efsState } = await setUp()
    const id = await giveOne()
    await efs.send(new CreateMountTargetCommand({ FileSystemId: id, SubnetId: subnets[2] }))
    await efs.send(new CreateMountTargetCommand({ FileSystemId: id, SubnetId: subnets[0] }))
    aws.calls.clear()
    const recorded = { 'Zones/eu-west-1a/SubnetWorkers': subnets[0] ?? '' }
    const { state } = await converge(graphFor({ fileSystem: { id } }), { state: recorded })
    expect(writes()).toContain('CreateMountTarget')
    expect(Object.keys(efsState(state))).toHaveLength(2)
    await converge(graphFor({ fileSystem: { id } }, true), { state, destroy: true })
    expect((await targets(id)).map(({ SubnetId }) => SubnetId)).toEqual([subnets[2]])
  })

  test('is never deleted when the user gives the id of the one that was created', async () => {
    const { converge, graphFor, systems } = await setUp()
    const { state } = await converge(graphFor(managed))
    const id = state.efsSystemID ?? ''
    const after = await converge(graphFor({ fileSystem: { id } }), { state })
    await converge(graphFor({ fileSystem: { id } }, true), { state: after.state, destroy: true })
    expect((await systems()).map(({ FileSystemId }) => FileSystemId)).toEqual([id])
  })

  test('reports a given file system that does not exist', async () => {
    const { converge, graphFor } = await setUp()
    await expect(converge(graphFor({ fileSystem: { id: 'fs-0123456789abcdef0' } }))).rejects.toThrow(
      'given file system fs-0123456789abcdef0 does not exist, and Trellis must not create it',
    )
  })

  test('makes no call without EFS', async () => {
    const { converge, graphFor, actions } = await setUp()
    await converge(graphFor({}))
    await converge(graphFor({}, true), { destroy: true })
    expect(actions()).toEqual([])
  })

  test('is only read in zones of the user, which have mount targets of the user', async () => {
    const { converge, graphFor, giveOne, efs, subnets, efsState, writes, aws } = await setUp()
    const id = await giveOne()
    const { MountTargetId } = await efs.send(
      new CreateMountTargetCommand({ FileSystemId: id, SubnetId: subnets[0] }),
    )
    aws.calls.clear()
    const own = {
      name: 'eu-west-1a',
      suffix: 'z0',
      workers: subnets[0],
      internal: undefined,
      public: undefined,
    }
    const parts = {
      fileSystem: { id },
      zones: { kind: 'own', zones: [own], tagRouteTables: false },
    } as const
    const { state } = await converge(graphFor(parts))
    expect(efsState(state)).toEqual({ [`efsMountTargets/${id}_${subnets[0]}`]: MountTargetId })
    await converge(graphFor(parts, true), { state, destroy: true })
    expect(writes()).toEqual([])
  })
})
