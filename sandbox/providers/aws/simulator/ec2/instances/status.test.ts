import { DescribeInstanceStatusCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { seconds, setUp, terminate } from '../testing/machines.ts'

test('the status of a running instance is reported, and its checks pass later', async () => {
  const { client, clock, runOne } = await setUp()
  const id = await runOne()
  const statuses = async (input: { IncludeAllInstances?: boolean } = {}) =>
    (await client.send(new DescribeInstanceStatusCommand(input))).InstanceStatuses?.map(status => [
      status.InstanceState?.Name,
      status.InstanceStatus?.Status,
      status.SystemStatus?.Details?.[0]?.Status,
    ])
  expect(await statuses()).toEqual([])
  expect(await statuses({ IncludeAllInstances: true })).toEqual([['pending', 'not-applicable', undefined]])
  await clock.advance(12 * seconds)
  expect(await statuses()).toEqual([['running', 'initializing', 'initializing']])
  await clock.advance(120 * seconds)
  expect(await statuses()).toEqual([['running', 'ok', 'passed']])
  await terminate(client, id)
  expect(await statuses()).toEqual([])
})
