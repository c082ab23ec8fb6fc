import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bucketLife } from './aws/cli/bucket.ts'
import { networkLife } from './aws/cli/network.ts'
import { type AwsCli, awsCli } from './aws/python-client.ts'
import { listenQuickly, type QuickSimulator } from './aws/quick-simulator.ts'
import { describeWith } from './with-part.ts'

// The other services have their drives with boto3, which sends and reads the same messages (botocore).
describeWith('python', 'aws-cli drives the AWS simulator', programs => {
  let simulator: QuickSimulator
  let cli: AwsCli
  beforeAll(async () => {
    simulator = await listenQuickly()
    cli = awsCli(programs, simulator.url)
  })
  afterAll(() => simulator?.close())

  // Each command starts Python. Run concurrently, they take half the total time, but each takes longer.
  describe.concurrent('it performs the complete life of', () => {
    test.each([
      { what: 'a network', life: networkLife },
      { what: 'a bucket', life: bucketLife },
    ])('$what', ({ life }) => life(cli))
  })

  test('it returns the caller identity', async () => {
    expect(await cli.json('sts', 'get-caller-identity')).toMatchObject({ Account: '123456789012' })
  })

  test('it calls nothing that the simulator lacks', () => {
    expect(simulator.aws.notBuilt.all()).toEqual([])
  })
})
