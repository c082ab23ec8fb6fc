import { CreateVpcCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { CreateInstanceProfileCommand, GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam'
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createAws } from './simulator.ts'
import { clientSettings, failureOf } from './testing/clients.ts'

test('read calls see changes after the configured delay, but in S3 at once', async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const settings = clientSettings(createAws({ clock, visibleAfter: 3_000 }))
  const ec2 = new EC2Client(settings)
  const iam = new IAMClient(settings)
  const s3 = new S3Client(settings)
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))
  await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'nodes' }))
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await s3.send(new CreateBucketCommand({ Bucket: 'backup', CreateBucketConfiguration }))

  const vpc = () => ec2.send(new DescribeVpcsCommand({ VpcIds: [String(Vpc?.VpcId)] }))
  const profile = () => iam.send(new GetInstanceProfileCommand({ InstanceProfileName: 'nodes' }))
  expect(await failureOf(vpc())).toMatchObject({ name: 'InvalidVpcID.NotFound' })
  expect(await failureOf(profile())).toMatchObject({ name: 'NoSuchEntityException' })
  await s3.send(new HeadBucketCommand({ Bucket: 'backup' }))
  await clock.advance(3_000)
  await vpc()
  await profile()
})
