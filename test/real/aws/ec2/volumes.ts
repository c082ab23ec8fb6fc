import { type AwsEndpoint, type Behaviour, codeOf } from '../behaviour.ts'
import { withMachines } from './machine.ts'
import { nothing, present } from './world.ts'

const find = async ({ ec2 }: Pick<AwsEndpoint, 'ec2'>, id: string) =>
  (await ec2.describeVolumes({ VolumeIds: [id] })).Volumes?.[0]

/** Volumes of machines. */
export const volumeBehaviours: readonly Behaviour[] = [
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
]
