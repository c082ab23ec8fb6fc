import { describe, expect, test } from 'vitest'
import { virtualClock } from '../clock/clock.ts'
import { eventMessage } from '../events/events.ts'
import { sampleEvent as event } from '../events/testing/sample-event.ts'
import type { HandleOutcome } from './answer-events.ts'
import { raw, recorded, useHosts } from './testing/use-hosts.ts'

describe('closing the host', () => {
  const { start, get } = useHosts()

  /** A host with one event in flight. */
  const busyHost = async (clock = virtualClock(0)) => {
    const began = Promise.withResolvers<AbortSignal>()
    const release = Promise.withResolvers<HandleOutcome>()
    const started = await start({
      clock,
      handle: (_, signal) => {
        began.resolve(signal)
        signal.addEventListener('abort', () => release.resolve({ kind: 'unrecorded', reason: 'aborted' }))
        return release.promise
      },
    })
    const answer = started.send(eventMessage(event))
    const signal = await began.promise
    return { ...started, clock, answer, signal, release }
  }

  test('waits for work in flight and answers it', async () => {
    const { host, answer, release } = await busyHost()
    const closed = host.close()
    release.resolve(recorded)
    expect((await answer).status).toBe(204)
    await closed
    await expect(get(host, '/health/liveness')).rejects.toThrow()
  })

  test('stays alive, is not ready and refuses new events while it closes', async () => {
    const { host, send, answer, release, answers } = await busyHost()
    const closed = host.close()
    expect((await get(host, '/health/liveness')).status).toBe(200)
    expect((await get(host, '/health/readiness')).status).toBe(503)
    expect(await send(eventMessage(event))).toEqual({ status: 503, retryAfter: '1' })
    release.resolve(recorded)
    expect((await answer).status).toBe(204)
    await closed
    expect(await answers()).toEqual({ draining: 1, recorded: 1 })
  })

  test('does not wait for a client that never finishes its request', async () => {
    const clock = virtualClock(0)
    const { host } = await start({ clock })
    const answer = raw(host, 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
    while (clock.pending().length === 0) await clock.advance(0)
    const closed = host.close()
    await clock.advance(2000)
    await closed
    expect(await answer).toBe('')
  })

  test('aborts work in flight when the drain time is over', async () => {
    const { host, answer, signal, clock } = await busyHost()
    const closed = host.close()
    await clock.advance(59_999)
    expect(signal.aborted).toBe(false)
    await clock.advance(1)
    expect(signal.aborted).toBe(true)
    expect((await answer).status).toBe(503)
    await closed
  })

  test('cuts off a step that ignores the abort', async () => {
    const clock = virtualClock(0)
    const began = Promise.withResolvers<void>()
    const { host, send } = await start({
      clock,
      handle: () => {
        began.resolve()
        return new Promise(() => {})
      },
    })
    const answer = expect(send(eventMessage(event))).rejects.toThrow()
    await began.promise
    const closed = host.close()
    await clock.advance(65_000)
    await closed
    await answer
  })

  test('can be closed twice', async () => {
    const { host } = await start()
    await Promise.all([host.close(), host.close()])
  })
})
