import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../testing/clients.ts'
import { setInstanceSupply } from '../../inventory.ts'
import { setUp } from '../../testing/machines.ts'

const small = { instanceType: 't3.small', zone: 'eu-west-1a' }

describe('exhausted capacity', () => {
  test('a launch fails with a server error, and succeeds once there is capacity again', async () => {
    const { aws, runOne } = await setUp()
    setInstanceSupply(aws.account(), 'eu-west-1', small, 'exhausted')
    const failure = await failureOf(runOne())
    expect(failure).toMatchObject({
      name: 'InsufficientInstanceCapacity',
      $metadata: { httpStatusCode: 500 },
    })
    expect(failure.message).toContain('or choosing eu-west-1b, eu-west-1c.')
    await runOne({ InstanceType: 't3.medium' })
    setInstanceSupply(aws.account(), 'eu-west-1', small, undefined)
    await runOne()
  })
})

describe('a type that is not offered in a zone', () => {
  test('a launch is refused', async () => {
    const { aws, runOne } = await setUp()
    setInstanceSupply(aws.account(), 'eu-west-1', small, 'not-offered')
    expect(await failureOf(runOne())).toMatchObject({
      name: 'Unsupported',
      message: expect.stringContaining('is not supported in your requested Availability Zone (eu-west-1a)'),
    })
  })
})
