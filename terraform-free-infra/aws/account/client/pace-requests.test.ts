import { Readable } from 'node:stream'
import { CreateVpcCommand, DescribeVpcsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { StandardRetryStrategy } from '@smithy/core/retry'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { createAwsPace } from './pace-requests.ts'

/** Clients over an account that throttles all requests while `isFull`. Records the times of the requests. */
const setUp = () => {
  const clock = virtualClock(0)
  const account = { isFull: false }
  const sent: number[] = []
  const pace = createAwsPace(clock, () => 0.5)
  const throttled =
    '<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>m</Message></Error></Errors></Response>'
  const client = (region = 'eu-west-1', signal = new AbortController().signal) => {
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
    ec2.middlewareStack.use(pace.for('123456789012', region, signal)())
    return ec2
  }
  const read = (region?: string, signal?: AbortSignal) =>
    client(region, signal)
      .send(new DescribeVpcsCommand({}))
      .catch((error: Error) => error)
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

/** An account that throttled reads until now. */
const slow = async () => {
  const world = setUp()
  world.account.isFull = true
  for (let count = 0; count < 4; count++) {
    const call = world.read()
    await world.clock.advance(10_000)
    await call
  }
  world.account.isFull = false
  world.sent.splice(0)
  return world
}

test('a wait ends with its step and does not delay other steps', async () => {
  const { clock, sent, read } = await slow()
  const before = clock.now()
  const abort = new AbortController()
  const ended = Array.from({ length: 50 }, () => read('eu-west-1', abort.signal))
  await clock.advance(0)
  abort.abort(new Error('over'))
  for (const result of await Promise.all(ended.slice(1))) expect(result).toMatchObject({ message: 'over' })
  const next = read()
  await clock.advance(30_000)
  await next
  expect(sent.at(-1)).toBeLessThanOrEqual(before + 30_000)
})

test('all requests are sent, and the rate recovers', async () => {
  const { clock, sent, read } = await slow()
  const calls = Promise.all(Array.from({ length: 200 }, () => read()))
  await clock.advance(3_600_000)
  await calls
  expect(sent).toHaveLength(200)
  const gap = (index: number) => (sent[index + 1] ?? 0) - (sent[index] ?? 0)
  expect(gap(198)).toBeLessThan(gap(0) / 2)
})
