import { describe, expect, test } from 'vitest'
import { tinyWebhook } from '../admission/testing/tiny-webhook.ts'
import { review, shownBy, useWebhookSeed } from './testing/use-webhook-seed.ts'

const begin = useWebhookSeed()

describe('a process that shuts down', () => {
  test('completes every review in progress, and accepts new ones until the caller has left', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = tinyWebhook({
      review: async () => {
        await gate.promise
        return {}
      },
    })
    const { start, ask, clock, trusted } = await begin([slow])
    const replica = await start({ settings: { drainAcceptMs: 5_000 } })
    await replica.registered
    const ca = await trusted()
    const first = ask(replica, '/tiny/tiny', review, { ca })
    await expect.poll(() => shownBy(replica.port)).not.toBe('')
    let closed = false
    const closing = replica.close().then(() => {
      closed = true
    })
    const second = ask(replica, '/tiny/tiny', review, { ca })
    await expect.poll(() => shownBy(replica.port)).not.toBe('')
    await clock.advance(60_000)
    expect(closed).toBe(false)
    gate.resolve()
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200])
    await closing
  })

  test('waits for an unresponsive API server no longer than for callers', async () => {
    const { start, server, clock } = await begin()
    const replica = await start({ settings: { syncMs: 1_000 } })
    await replica.registered
    server.faults.freeze()
    await clock.advance(1_000)
    let closed = false
    const closing = replica.close().then(() => {
      closed = true
    })
    await clock.advance(6_000)
    await expect.poll(() => closed).toBe(true)
    server.faults.thaw()
    await clock.advance(60_000)
    await closing
  })
})
