import {
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  type EC2Client,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import type { Limits } from '../core/limits.ts'
import { addImage } from '../inventory.ts'
import * as network from './network.ts'

export const seconds = 1_000
export const image = 'ami-0aaaaaaaaaaaaaaa1'
export const armImage = 'ami-0aaaaaaaaaaaaaaa2'

/** Creates a network for instances, with AWS's real durations on a virtual clock. */
export const setUp = async (limits: Limits = {}) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1 }, limits } })
  const common = { name: 'test', rootDeviceName: '/dev/sda1', rootSize: 8 }
  addImage(aws.account(), 'eu-west-1', { ...common, id: image, architecture: 'x86_64' })
  addImage(aws.account(), 'eu-west-1', { ...common, id: armImage, architecture: 'arm64' })
  const client = network.ec2ClientOf(aws)
  const { vpcId, subnetId } = await network.newNetwork(client)
  const groupId = await network.newGroup(client, vpcId)
  const run = async (input: Partial<RunInstancesCommandInput> = {}) => {
    const base = { ImageId: image, InstanceType: 't3.small', MinCount: 1, MaxCount: 1 } as const
    const place = input.NetworkInterfaces ? {} : { SubnetId: subnetId, SecurityGroupIds: [groupId] }
    return client.send(new RunInstancesCommand({ ...base, ...place, ...input }))
  }
  const runOne = async (input: Partial<RunInstancesCommandInput> = {}) =>
    (await run(input)).Instances?.[0]?.InstanceId ?? ''
  return { aws, clock, client, vpcId, subnetId, groupId, run, runOne }
}

export const describeInstance = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeInstancesCommand({ InstanceIds: [id] }))).Reservations?.[0]?.Instances?.[0]

export const volumesOf = async (client: EC2Client, id: string) => {
  const Filters = [{ Name: 'attachment.instance-id', Values: [id] }]
  return (await client.send(new DescribeVolumesCommand({ Filters }))).Volumes
}

export const terminate = (client: EC2Client, ...InstanceIds: string[]) =>
  client.send(new TerminateInstancesCommand({ InstanceIds }))

export const publicInterface = (subnetId: string, groupId: string) => ({
  DeviceIndex: 0,
  SubnetId: subnetId,
  Groups: [groupId],
  AssociatePublicIpAddress: true,
})
