import { request } from 'undici'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { type ExtensionEvent, eventMessage } from '../events/events.ts'
import { sampleEvent as event } from '../events/testing/sample-event.ts'
import type { ServedFunction } from './answer-events.ts'
import { type FunctionHost, serveFunctions } from './host.ts'
import { createMetrics } from './metrics.ts'
import { quiet, recorded } from './testing/use-hosts.ts'

const hosts: FunctionHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

const start = async (functions: readonly ServedFunction[], maxConcurrency = 0) => {
  const metrics = createMetrics()
  const host = await serveFunctions({
    functions,
    settings: {
      address: '127.0.0.1',
      port: 0,
      maxConcurrency,
      drainMs: 60_000,
    },
    metrics,
    log: quiet,
    clock: systemClock,
  })
  hosts.push(host)
  const send = async (path: string) => {
    const { headers, body } = eventMessage(event)
    const answer = await request(`${host.url}${path}`, {
      method: 'POST',
      headers: { ...headers, connection: 'close' },
      body,
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  const get = async (path: string) => {
    const answer = await request(`${host.url}${path}`, { headers: { connection: 'close' } })
    return { status: answer.statusCode, text: await answer.body.text() }
  }
  return { host, send, get }
}

const served = (name: string, more: Partial<ServedFunction> = {}): ServedFunction => ({
  name,
  handle: async () => recorded,
  log: quiet,
  ...more,
})

/** A handler that ends its events when the test says so. */
const held = () => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const handle = vi.fn(async (_: ExtensionEvent, signal: AbortSignal) => {
    await promise
    expect(signal.aborted).toBe(false)
    return recorded
  })
  return { handle, release }
}

describe('several functions in the host', () => {
  test('passes an event to the function named by its path', async () => {
    const [one, other] = [vi.fn(async () => recorded), vi.fn(async () => recorded)]
    const { send } = await start([
      served('acme-dnsrecord', { handle: one }),
      served('acme-bastion', { handle: other }),
    ])
    expect(await send('/acme-bastion')).toEqual({ status: 204, text: '' })
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([0, 1])
  })

  test.each(['/', '/acme', '/acme-bastion/x', '//acme-bastion'])(
    'refuses an event at %s and names the valid paths',
    async path => {
      const { send } = await start([served('acme-dnsrecord'), served('acme-bastion')])
      expect(await send(path)).toEqual({
        status: 400,
        text: 'send events by POST to / and the name of a function, one of acme-dnsrecord, acme-bastion\n',
      })
    },
  )

  test('refuses an event for another function, and logs it under the function that received it', async () => {
    const warn = vi.fn()
    const { send } = await start([served('acme-bastion', { accepts: () => false, log: { ...quiet, warn } })])
    expect((await send('/acme-bastion')).status).toBe(400)
    expect(warn).toHaveBeenCalledWith('event refused', expect.objectContaining({ id: event.id }))
  })

  test('answers 204 to an event that the function ignores, and does not run it', async () => {
    const { handle, release } = held()
    release()
    const warn = vi.fn()
    const ignoring = { handle, accepts: () => false, ignores: () => true, log: { ...quiet, warn } }
    const { send } = await start([served('acme-bastion', ignoring)])
    expect((await send('/acme-bastion')).status).toBe(204)
    expect(handle).not.toHaveBeenCalled()
    expect(warn).not.toHaveBeenCalled()
  })

  test('a full or failing function does not affect the others', async () => {
    const { handle, release } = held()
    const fail = async () => {
      throw new Error('it cannot be made')
    }
    const { send } = await start([
      served('acme-dnsrecord', { handle, maxConcurrency: 1 }),
      served('acme-worker', { handle: fail }),
      served('acme-bastion'),
    ])
    const first = send('/acme-dnsrecord')
    await expect.poll(() => handle.mock.calls.length).toBe(1)
    expect((await send('/acme-dnsrecord')).status).toBe(503)
    expect((await send('/acme-worker')).status).toBe(503)
    expect((await send('/acme-bastion')).status).toBe(204)
    release()
    expect((await first).status).toBe(204)
    expect((await send('/acme-dnsrecord')).status).toBe(204)
  })

  test('the limit of the process counts the events of all functions', async () => {
    const { handle, release } = held()
    const { send } = await start([served('acme-dnsrecord', { handle }), served('acme-bastion')], 1)
    const first = send('/acme-dnsrecord')
    await expect.poll(() => handle.mock.calls.length).toBe(1)
    expect((await send('/acme-bastion')).status).toBe(503)
    release()
    expect((await first).status).toBe(204)
  })

  test('close waits for the events of every function', async () => {
    const [one, other] = [held(), held()]
    const { host, send, get } = await start([
      served('acme-dnsrecord', { handle: one.handle }),
      served('acme-bastion', { handle: other.handle }),
    ])
    const answers = [send('/acme-dnsrecord'), send('/acme-bastion')]
    await expect.poll(() => one.handle.mock.calls.length + other.handle.mock.calls.length).toBe(2)
    const closed = host.close()
    expect((await get('/health/readiness')).status).toBe(503)
    expect((await send('/acme-bastion')).status).toBe(503)
    one.release()
    other.release()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 204])
    await closed
  })

  test('metrics are counted per function', async () => {
    const { send, get } = await start([served('acme-dnsrecord'), served('acme-bastion')])
    await send('/acme-dnsrecord')
    await send('/acme-bastion')
    await send('/acme-bastion')
    await send('/nobody')
    const { text } = await get('/metrics')
    expect([...text.matchAll(/^trellis_function_answers_total\S+ \d+$/gm)].map(([line]) => line)).toEqual([
      'trellis_function_answers_total{outcome="recorded",function="acme-dnsrecord"} 1',
      'trellis_function_answers_total{outcome="recorded",function="acme-bastion"} 2',
      'trellis_function_answers_total{outcome="not-an-event",function=""} 1',
    ])
  })
})
