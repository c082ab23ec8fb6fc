import {
  CreateVolumeCommand,
  type CreateVolumeCommandInput,
  DeleteVolumeCommand,
  DescribeVolumesCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const client = network.ec2ClientOf(createAws({ clock, ec2: { durations: { scale: 1 } } }))
  const create = (input: Partial<CreateVolumeCommandInput> = {}) =>
    client.send(new CreateVolumeCommand({ AvailabilityZone: 'eu-west-1a', Size: 10, ...input }))
  return { clock, client, create }
}

const describeVolume = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeVolumesCommand({ VolumeIds: [id] }))).Volumes?.[0]

describe('attaching a volume', () => {
  test.each<[Partial<CreateVolumeCommandInput>]>([
    [{ VolumeType: 'gp3', Size: 1 }],
    [{ VolumeType: 'gp3', Size: 8, Iops: 4_000, Throughput: 1_000 }],
    [{ VolumeType: 'io1', Size: 10, Iops: 500 }],
  ])('a volume can use the highest performance of EBS: %o', async input => {
    expect(await setUp().create(input)).toMatchObject(input)
  })

  test('a volume is creating, then available, and disappears some time after its deletion', async () => {
    const { clock, client, create } = setUp()
    const { VolumeId = '' } = await create({ VolumeType: 'gp3' })
    expect(await describeVolume(client, VolumeId)).toMatchObject({
      State: 'creating',
      Iops: 3000,
      Throughput: 125,
      AvailabilityZone: 'eu-west-1a',
    })
    await clock.advance(3_000)
    expect(await describeVolume(client, VolumeId)).toMatchObject({ State: 'available' })
    await client.send(new DeleteVolumeCommand({ VolumeId }))
    expect(await describeVolume(client, VolumeId)).toMatchObject({ State: 'deleting' })
    await clock.advance(2_000)
    expect(await failureOf(describeVolume(client, VolumeId))).toMatchObject({
      name: 'InvalidVolume.NotFound',
    })
  })

  test.each<[Partial<CreateVolumeCommandInput>, string, string]>([
    [{ AvailabilityZone: 'eu-west-1z' }, 'InvalidZone.NotFound', "The zone 'eu-west-1z' does not exist."],
    [{ Size: 0 }, 'InvalidParameterValue', 'Volume of 0GiB is too small; minimum is 1GiB.'],
    [{ Size: 100_000 }, 'InvalidParameterValue', 'Volume of 100000GiB is too large; maximum is 16384GiB.'],
    [
      { VolumeType: 'gp3', Iops: 100 },
      'InvalidParameterValue',
      'Volume iops of 100 is too low; minimum is 3000.',
    ],
    [
      { VolumeType: 'gp3', Size: 20, Iops: 15_000 },
      'InvalidParameterValue',
      'Iops to volume size ratio of 750.000000 is too high; maximum is 500',
    ],
    [
      { VolumeType: 'io1', Size: 10, Iops: 600 },
      'InvalidParameterValue',
      'Iops to volume size ratio of 60.000000 is too high; maximum is 50',
    ],
    [
      { VolumeType: 'gp3', Throughput: 1_000 },
      'InvalidParameterValue',
      'Throughput (MiBps) to iops ratio of 0.333333 is too high; maximum is 0.250000 MiBps per iops',
    ],
    [
      { Throughput: 250 },
      'InvalidParameterCombination',
      'The parameter throughput is not supported for gp2 volumes.',
    ],
    [
      { KmsKeyId: 'alias/x' },
      'InvalidParameterDependency',
      'The parameter KmsKeyId requires the parameter Encrypted to be set.',
    ],
  ])('a NAT gateway with %o is refused', async (input, name, message) => {
    expect(await failureOf(setUp().create(input))).toMatchObject({ name, message })
  })
})
