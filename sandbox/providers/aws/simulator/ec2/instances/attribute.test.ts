import { DescribeInstanceAttributeCommand, type InstanceAttributeName } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { failureOf } from '../../testing/clients.ts'
import { setUp } from '../testing/machines.ts'

const UserData = Buffer.from('#cloud-config').toString('base64')

test.each<[InstanceAttributeName, object]>([
  ['userData', { UserData: { Value: UserData } }],
  ['instanceType', { InstanceType: { Value: 't3.small' } }],
  ['disableApiTermination', { DisableApiTermination: { Value: false } }],
  ['disableApiStop', { DisableApiStop: { Value: false } }],
  ['instanceInitiatedShutdownBehavior', { InstanceInitiatedShutdownBehavior: { Value: 'stop' } }],
  ['ebsOptimized', { EbsOptimized: { Value: false } }],
  ['rootDeviceName', { RootDeviceName: { Value: '/dev/sda1' } }],
  ['sourceDestCheck', { SourceDestCheck: { Value: true } }],
  ['groupSet', { Groups: [{ GroupName: 'nodes' }] }],
])('DescribeInstanceAttribute returns the %s', async (Attribute, expected) => {
  const { client, runOne } = await setUp()
  const InstanceId = await runOne({ UserData })
  const described = await client.send(new DescribeInstanceAttributeCommand({ InstanceId, Attribute }))
  expect(described).toMatchObject({ InstanceId, ...expected })
})

test('an unknown attribute is refused', async () => {
  const { client, runOne } = await setUp()
  const Attribute = 'colour' as InstanceAttributeName
  const ask = new DescribeInstanceAttributeCommand({ InstanceId: await runOne(), Attribute })
  expect(await failureOf(client.send(ask))).toMatchObject({ name: 'InvalidParameterValue' })
})
