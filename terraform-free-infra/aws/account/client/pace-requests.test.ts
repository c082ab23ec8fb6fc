import { Readable } from 'node:stream'
import { CreateVpcCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createRequestPace } from './pace-requests.ts'

/** Clients over an account that throttles all requests while `isFull`. Records the times of the requests. */
const setUp = () => {
  const clock = virtualClock(0)
  const account = { isFull: false }
  const sent: number[] = []
  const pace = createRequestPace(clock, () => 0.5)
  const throttled =
    '<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>m</Message></Error></Errors></Response>'
  const client = (region = 'eu-west-1') => {
    const ec2 = new EC2Client({
      region,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      retryStrategy: new StandardRetryStrategy(1),
      requestHandler: {
        handle: async () => {
          sent.push(clock.now())
          const body = Readable.from([Buffer.from(account.isFull ? throttled : '<DescribeVpcsResponse/>')])
          return { response: { statusCode: account.isFull ? 503 : 200, headers: {}, body } as never }
        },
      },
    })
    ec2.middlewareStack.use(pace.for('123456789012', region, new AbortController().signal)())
    return ec2
  }
  const read = (region?: string) =>
    client(region)
      .send(new DescribeVpcsCommand({}))
      .catch(() => undefined)
  const change = () =>
    client()
      .send(new CreateVpcCommand({}))
      .catch(() => undefined)
  return { clock, account, sent, read, change }
}

test('requests are not delayed until AWS throttles', async () => {
  const { sent, read } = setUp()
  await Promise.all(Array.from({ length: 100 }, () => read()))
  expect(new Set(sent)).toEqual(new Set([0]))
  expect(sent).toHaveLength(100)
})

test('after throttling, the steps of a process share a rate, and repeated throttling decreases it', async () => {
  const { clock, account, sent, read } = setUp()
  account.isFull = true
  for (let count = 0; count < 4; count++) {
    const call = read()
    await clock.advance(10_000)
    await call
  }
  sent.splice(0)
  const calls = Promise.all([read(), read(), read()])
  await clock.advance(60_000)
  await calls
  const [first = 0, second = 0, third = 0] = sent
  expect(second - first).toBeGreaterThanOrEqual(2_000)
  expect(third - second).toBeGreaterThanOrEqual(2_000)
})

test('changes and other regions are not delayed by throttled reads', async () => {
  const { clock, account, sent, read, change } = setUp()
  account.isFull = true
  for (let count = 0; count < 4; count++) {
    const call = read()
    await clock.advance(10_000)
    await call
  }
  account.isFull = false
  sent.splice(0)
  const now = clock.now()
  await Promise.all([change(), read('us-east-1')])
  expect(sent).toEqual([now, now])
})
