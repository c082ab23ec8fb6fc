import type { CreateVolumeCommandInput } from '@aws-sdk/client-ec2'
import { expect } from 'vitest'
import { type AwsEndpoint, type Behaviour, codeOf } from '../behaviour.ts'
import { withMachines } from './machine.ts'
import { nothing, present } from './world.ts'

const make = async ({ ec2 }: Pick<AwsEndpoint, 'ec2'>, input: Partial<CreateVolumeCommandInput> = {}) =>
  present((await ec2.createVolume({ AvailabilityZone: 'eu-west-1a', Size: 8, ...input })).VolumeId)

const find = async ({ ec2 }: Pick<AwsEndpoint, 'ec2'>, id: string) =>
  (await ec2.describeVolumes({ VolumeIds: [id] })).Volumes?.[0]

/** Volumes with and without machines. */
export const volumeBehaviours: readonly Behaviour[] = [
  {
    title: 'a volume is creating at first, then available, of type gp2 unless told otherwise',
    see: async endpoint => {
      const made = await endpoint.ec2.createVolume({ AvailabilityZone: 'eu-west-1a', Size: 8 })
      await endpoint.pass(60_000)
      const later = await find(endpoint, present(made.VolumeId))
      return [made.State, later?.State, later?.VolumeType]
    },
    aws: ['creating', 'available', 'gp2'],
    moto: ['available', 'available', 'gp2'],
  },
  {
    title: 'a volume without a size is refused',
    see: ({ ec2 }) => codeOf(ec2.createVolume({ AvailabilityZone: 'eu-west-1a' })),
    aws: 'MissingParameter 400',
  },
  {
    title: 'a volume in an unknown zone is refused',
    see: endpoint => codeOf(make(endpoint, { AvailabilityZone: 'eu-west-1x' })),
    aws: 'InvalidZone.NotFound 400',
    moto: 'done',
  },
  {
    title: 'a volume is deleted, and gone',
    see: async endpoint => {
      const VolumeId = await make(endpoint)
      await endpoint.pass(60_000)
      const outcome = await codeOf(endpoint.ec2.deleteVolume({ VolumeId }))
      await endpoint.pass(60_000)
      return [outcome, await codeOf(find(endpoint, VolumeId))]
    },
    aws: ['done', 'InvalidVolume.NotFound 400'],
  },
  {
    title: 'a volume in use is not deleted',
    see: withMachines(async machines => {
      const id = await machines.run()
      await machines.waitLong()
      const { Volumes } = await machines.ec2.describeVolumes({
        Filters: [{ Name: 'attachment.instance-id', Values: [id] }],
      })
      const VolumeId = present(Volumes?.[0]?.VolumeId)
      return [Volumes?.[0]?.State, await codeOf(machines.ec2.deleteVolume({ VolumeId }))]
    }),
    aws: ['in-use', 'VolumeInUse 400'],
  },
  {
    title: 'the root volume goes with its instance',
    see: withMachines(async ({ ec2, run, waitLong }) => {
      const id = await run()
      await waitLong()
      const Filters = [{ Name: 'attachment.instance-id', Values: [id] }]
      const VolumeId = present((await ec2.describeVolumes({ Filters })).Volumes?.[0]?.VolumeId)
      await ec2.terminateInstances({ InstanceIds: [id] })
      await waitLong()
      return codeOf(ec2.describeVolumes({ VolumeIds: [VolumeId] }))
    }),
    aws: 'InvalidVolume.NotFound 400',
  },
  {
    title: 'a volume that is to stay outlives its instance',
    see: withMachines(async machines => {
      const { ec2, run, waitLong } = machines
      const id = await run({
        BlockDeviceMappings: [{ DeviceName: '/dev/sdf', Ebs: { VolumeSize: 9, DeleteOnTermination: false } }],
      })
      await waitLong()
      const Filters = [
        { Name: 'attachment.instance-id', Values: [id] },
        { Name: 'attachment.device', Values: ['/dev/sdf'] },
      ]
      const VolumeId = present((await ec2.describeVolumes({ Filters })).Volumes?.[0]?.VolumeId)
      await ec2.terminateInstances({ InstanceIds: [id] })
      await waitLong()
      return codeOf(find(machines, VolumeId), volume => volume?.State)
    }),
    aws: 'available',
  },
  {
    title: 'an unknown volume is not found',
    see: endpoint => codeOf(find(endpoint, nothing('vol'))),
    aws: 'InvalidVolume.NotFound 400',
  },
  {
    title: 'a volume is attached to one instance, and taken off again',
    see: withMachines(async machines => {
      const { ec2, run, waitLong } = machines
      const [InstanceId, VolumeId] = [await run(), await make(machines)]
      await waitLong()
      const attach = () => codeOf(ec2.attachVolume({ InstanceId, VolumeId, Device: '/dev/sdf' }))
      const outcomes = [await attach(), await attach()]
      await waitLong()
      const during = (await find(machines, VolumeId))?.State
      const detached = await codeOf(ec2.detachVolume({ VolumeId }))
      await waitLong()
      return [outcomes, during, detached, (await find(machines, VolumeId))?.State]
    }),
    aws: [['done', 'VolumeInUse 400'], 'in-use', 'done', 'available'],
    moto: [['done', 'done'], 'in-use', expect.stringMatching(/^Error/), 'in-use'],
  },
  {
    title: 'a volume of another zone is not attached',
    see: withMachines(async machines => {
      const [InstanceId, VolumeId] = [
        await machines.run(),
        await make(machines, { AvailabilityZone: 'eu-west-1b' }),
      ]
      await machines.waitLong()
      return codeOf(machines.ec2.attachVolume({ InstanceId, VolumeId, Device: '/dev/sdf' }))
    }),
    aws: 'InvalidVolume.ZoneMismatch 400',
    moto: 'done',
  },
]
