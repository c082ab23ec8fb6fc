import {
  AttachVolumeCommand,
  CreateVolumeCommand,
  DescribeVolumesCommand,
  DetachVolumeCommand,
  StopInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import * as machines from '../testing/machines.ts'

const { seconds } = machines

const setUp = async () => {
  const { client, clock, runOne } = await machines.setUp()
  const instance = await runOne()
  const newVolume = async (AvailabilityZone = 'eu-west-1a') =>
    String((await client.send(new CreateVolumeCommand({ AvailabilityZone, Size: 10 }))).VolumeId)
  const volume = await newVolume()
  const elsewhere = await newVolume('eu-west-1b')
  await clock.advance(20 * seconds)
  const attach = (Device: string, VolumeId = volume) =>
    client.send(new AttachVolumeCommand({ VolumeId, InstanceId: instance, Device }))
  const detach = (VolumeId = volume) => client.send(new DetachVolumeCommand({ VolumeId }))
  const statesOf = async (id = volume) => {
    const found = (await client.send(new DescribeVolumesCommand({ VolumeIds: [id] }))).Volumes?.[0]
    return [found?.State, found?.Attachments?.[0]?.State]
  }
  return { client, clock, instance, volume, elsewhere, newVolume, attach, detach, statesOf }
}

describe('attaching a volume', () => {
  test('a volume is attaching, attached, detaching and free again', async () => {
    const { clock, attach, detach, statesOf, instance } = await setUp()
    expect(await attach('/dev/sdf')).toMatchObject({
      InstanceId: instance,
      Device: '/dev/sdf',
      State: 'attaching',
      DeleteOnTermination: false,
    })
    expect(await statesOf()).toEqual(['in-use', 'attaching'])
    await clock.advance(2 * seconds)
    expect(await statesOf()).toEqual(['in-use', 'attached'])
    expect(await detach()).toMatchObject({ State: 'detaching' })
    expect(await statesOf()).toEqual(['in-use', 'detaching'])
    await clock.advance(5 * seconds)
    expect(await statesOf()).toEqual(['available', undefined])
  })

  test.each<[string, (world: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>, string]>([
    [
      'attached twice',
      async ({ attach }) => [await attach('/dev/sdf'), await attach('/dev/sdg')],
      'VolumeInUse',
    ],
    [
      'attached where there is another',
      async ({ attach, newVolume, clock }) => {
        const other = await newVolume()
        await clock.advance(3 * seconds)
        await attach('/dev/sdf')
        return attach('/dev/sdf', other)
      },
      'InvalidParameterValue',
    ],
    ['attached as no device', ({ attach }) => attach('disk'), 'InvalidParameterValue'],
    [
      'attached in another zone',
      ({ attach, elsewhere }) => attach('/dev/sdf', elsewhere),
      'InvalidVolume.ZoneMismatch',
    ],
    [
      'attached while it is made',
      async ({ attach, newVolume }) => attach('/dev/sdf', await newVolume()),
      'IncorrectState',
    ],
    [
      'attached to an instance that stops',
      async ({ client, attach, instance }) => {
        await client.send(new StopInstancesCommand({ InstanceIds: [instance] }))
        return attach('/dev/sdf')
      },
      'IncorrectState',
    ],
    ['detached without need', ({ detach }) => detach(), 'IncorrectState'],
    [
      'detached from another instance',
      async ({ client, attach, volume }) => {
        await attach('/dev/sdf')
        const InstanceId = 'i-00000000000000000'
        return client.send(new DetachVolumeCommand({ VolumeId: volume, InstanceId }))
      },
      'InvalidAttachment.NotFound',
    ],
    [
      'detached as the root of a running instance',
      async ({ client, detach, instance }) => {
        const [root] = (await machines.volumesOf(client, instance)) ?? []
        return detach(String(root?.VolumeId))
      },
      'OperationNotPermitted',
    ],
  ])('a volume cannot be %s', async (_, act, name) => {
    const world = await setUp()
    expect(await failureOf(act(world))).toMatchObject({ name })
  })
})
