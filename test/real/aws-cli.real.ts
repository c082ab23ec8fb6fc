import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bucketLife } from './aws/cli/bucket.ts'
import { fileSystemLife } from './aws/cli/file-system.ts'
import { machineLife } from './aws/cli/machine.ts'
import { roleLife } from './aws/cli/role.ts'
import { zoneLife } from './aws/cli/zone.ts'
import { type AwsCli, awsCli } from './aws/python-client.ts'
import { listenQuickly, type QuickSimulator } from './aws/quick-simulator.ts'
import { describeWith } from './with-part.ts'

describeWith('python', 'aws-cli drives the AWS simulator', programs => {
  let simulator: QuickSimulator
  let cli: AwsCli
  beforeAll(async () => {
    simulator = await listenQuickly()
    cli = awsCli(programs, simulator.url)
  })
  afterAll(() => simulator?.close())

  // One of each protocol; `boto3.real.ts` has all services. Each command starts Python. Run concurrently, they take half
  // the total time, but each takes longer.
  describe.concurrent('it performs the complete life of', () => {
    test.each([
      { what: 'a machine', life: machineLife },
      { what: 'a role', life: roleLife },
      { what: 'a bucket', life: bucketLife },
      { what: 'a file system', life: fileSystemLife },
      { what: 'a hosted zone', life: zoneLife },
    ])('$what', ({ life }) => life(cli))
  })

  test('it returns the caller identity', async () => {
    expect(await cli.json('sts', 'get-caller-identity')).toMatchObject({ Account: '123456789012' })
  })

  test('it calls nothing that the simulator lacks', () => {
    expect(simulator.aws.notBuilt.all()).toEqual([])
  })
})
