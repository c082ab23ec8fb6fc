import { EC2Client } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../../../../shared/clock/clock.ts'
import { createAws } from '../simulator.ts'
import { clientSettings } from '../testing/clients.ts'
import { addImage } from './inventory.ts'
import { newGroup, newNetwork } from './testing/network.ts'
import {
  ec2Calls,
  type Phases,
  type RecordedCall,
  recordedCalls,
  recordedResources,
  recordedShoots,
} from './testing/recording.ts'
import {
  describeAll,
  idMap,
  idMembers,
  type ResourceLists,
  recordedIds,
  translate,
} from './testing/translate.ts'

const signature =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/ec2/aws4_request, SignedHeaders=host, Signature=00'

const setUp = async (file: string) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { defaultVpc: true } })
  addImage(aws.account(), 'eu-west-1', {
    id: 'ami-0aaaaaaaaaaaaaaa1',
    name: 'image of the recording',
    architecture: 'x86_64',
    rootDeviceName: '/dev/sda1',
  })
  const client = new EC2Client(clientSettings(aws))
  const server = await aws.listen()
  const recorded: ResourceLists = recordedResources(file)
  let ids = idMap(recorded, {})
  /** Replaces the ids of a text. Reads the account only if an id is new. */
  const translated = async (text: string): Promise<string> => {
    if (recordedIds(text).some(id => !ids.has(id))) ids = idMap(recorded, await describeAll(client))
    return translate(text, ids)
  }
  return { clock, client, server, recorded, translated, phases: recordedCalls(file) }
}

type World = Awaited<ReturnType<typeof setUp>>

/** Sends a recorded call with the simulator's ids; the code of its error, or `ok`. */
const send = async (
  { server, translated }: Pick<World, 'server' | 'translated'>,
  { action, params }: RecordedCall,
): Promise<string> => {
  const form = new URLSearchParams({ Action: action, Version: '2016-11-15' })
  for (const [name, value] of Object.entries(params)) form.set(name, await translated(value))
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { authorization: signature, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  return /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1] ?? 'ok'
}

const play = async (world: World, phase: string): Promise<string[]> => {
  const outcomes: string[] = []
  const start = world.clock.now()
  for (const call of ec2Calls(world.phases, phase)) {
    await reach(world.clock, start + call.at)
    outcomes.push(`${call.action}: ${await send(world, call)}`)
  }
  return outcomes
}

const reach = (clock: VirtualClock, time: number): Promise<void> =>
  clock.advance(Math.max(0, time - clock.now()))

/**
 * Returns the recorded outcomes, corrected for one defect of the recorded emulator: it adds no routes to an endpoint's
 * tables. There, adding them again succeeds and deleting the endpoint fails.
 */
const expected = (phases: Phases, phase: string): string[] =>
  ec2Calls(phases, phase).map(({ action, error, params }) => {
    const again = phase !== 'create' && params['AddRouteTableId.1'] !== undefined
    if (action === 'ModifyVpcEndpoint' && again) return `${action}: RouteAlreadyExists`
    return action === 'DeleteVpcEndpoints' ? `${action}: ok` : `${action}: ${error ?? 'ok'}`
  })

/** Values that differ between runs, or that only the emulator has. */
const volatile = new Set([
  'AssociationId',
  'AttachTime',
  'AttachmentId',
  'AvailabilityZoneId',
  'CreateTime',
  'CreationTimestamp',
  'KeyPairId',
  'LaunchTime',
  'MacAddress',
  'NetworkInterfaceId',
  'PolicyDocument',
  'PrivateDnsName',
  'PrivateIp',
  'PrivateIpAddress',
  'PrivateIpAddresses',
  'PublicDnsName',
  'PublicIp',
  'PublicIpAddress',
  'RouteTableAssociationId',
  'VolumeId',
  // The emulator reports private names for an endpoint without interfaces.
  'PrivateDnsEnabled',
])

const sorted = (list: readonly unknown[]): unknown[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Without what is volatile, lists in an order of their own. */
const essence = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return sorted(value.map(essence))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([name, member]) => !volatile.has(name) && member !== undefined)
    .map(([name, member]) => [name, essence(member)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members)
}

/** A route that the emulator of the recording does not make. */
const isEndpointRoute = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'DestinationPrefixListId' in item

/** Ours cut down to the members that the recording has too. */
const like = (ours: unknown, recorded: unknown): unknown => {
  if (Array.isArray(ours) && Array.isArray(recorded)) {
    const items = ours.filter(item => !isEndpointRoute(item))
    return recorded.length === 0 ? items : sorted(items.map((item, at) => like(item, recorded[at])))
  }
  if (typeof ours !== 'object' || ours === null || typeof recorded !== 'object' || recorded === null) {
    return ours
  }
  const known = recorded as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(ours)
      .filter(([name]) => Object.hasOwn(known, name))
      .map(([name, member]) => [name, like(member, known[name])]),
  )
}

const shoots = recordedShoots

describe('the recorded calls of the Go extension', () => {
  test.each(shoots)('in %s have the recorded outcomes, and make the recorded resources', async file => {
    const world = await setUp(file)
    try {
      for (const phase of ['create', 'idle1', 'idle2'])
        expect(await play(world, phase)).toEqual(expected(world.phases, phase))
      await world.clock.advance(60_000)
      const found = await describeAll(world.client)
      const ids = idMap(world.recorded, found)
      for (const [list, member] of Object.entries(idMembers)) {
        for (const resource of world.recorded[list] ?? []) {
          const ours = found[list]?.find(item => item[member] === ids.get(String(resource[member])))
          const theirs = essence(JSON.parse(translate(JSON.stringify(resource), ids)))
          expect(like(essence(ours), theirs)).toEqual(theirs)
        }
      }
      expect(await play(world, 'delete')).toEqual(expected(world.phases, 'delete'))
      const left = await describeAll(world.client)
      const names = Object.values(left).flatMap(items => items.map(item => JSON.stringify(item)))
      const states = names.filter(text => text.includes('shoot--p--') && !text.includes('"deleted"'))
      expect(states).toEqual([])
    } finally {
      await world.server.close()
    }
  })

  test.each(['bastion/bastion'])('of %s have the recorded outcomes', async name => {
    const world = await setUp(name)
    const { client } = world
    try {
      const { vpcId, subnetId } = await newNetwork(client, {
        cidr: '10.250.0.0/16',
        subnet: '10.250.96.0/22',
        name: 'shoot--p--aux',
        subnetName: 'shoot--p--aux-public-utility-z0',
      })
      await newGroup(client, vpcId, 'shoot--p--aux-nodes')
      expect(await play(world, 'create')).toEqual(expected(world.phases, 'create'))
      await world.clock.advance(60_000)
      const found = await describeAll(client)
      expect(found.Instances).toMatchObject([
        { State: { Name: 'running' }, SubnetId: subnetId, PublicIpAddress: expect.stringMatching(/^198\./) },
      ])
      expect(await play(world, 'idle')).toEqual(expected(world.phases, 'idle'))
      // The emulator of the recording has an instance terminated at once.
      const deletion = await play(world, 'delete')
      expect(deletion.slice(0, -1)).toEqual(expected(world.phases, 'delete').slice(0, -1))
      expect(deletion.at(-1)).toBe('DeleteSecurityGroup: DependencyViolation')
      await world.clock.advance(60_000)
      const [last] = ec2Calls(world.phases, 'delete').slice(-1)
      expect(last && (await send(world, last))).toBe('ok')
    } finally {
      await world.server.close()
    }
  })
})
