import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock, virtualClock } from '../../../shared/clock/clock.ts'
import type { StepReport } from '../../../shared/journal/journal.ts'
import { createMetrics, httpReports } from '../../../shared/runtime/runtime.ts'
import { createReportReceiver } from './report-receiver.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const metrics = () => createMetrics()
let receiver: ReturnType<typeof createReportReceiver>
let own: ReturnType<typeof createMetrics>
let received: StepReport[] = []
const server = createServer((request, response) => {
  if (!receiver.answer(request, response)) response.writeHead(404).end()
})
let url = ''

beforeEach(async () => {
  own = metrics()
  received = []
  receiver = createReportReceiver({
    ...{ metrics: own, clock: systemClock, log: quiet },
    steps: reports => received.push(...reports),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const name = 'trellis_function_steps_total'
const steps = (value: number) => ({
  program: 'aws-dnsrecord',
  series: { [name]: [{ labels: ['DNSRecord', 'reconcile', 'succeeded', 'aws-dnsrecord'], value }] },
})
const { signal } = new AbortController()
const shown = async () => (await receiver.renderAfter(own)).text
const post = async (body: string) => (await fetch(url, { method: 'POST', body })).status

describe('reports of functions', () => {
  test('reports of all processes are summed, beside the metrics of the bridge', async () => {
    expect(await httpReports(url)(steps(2), signal)).toBe('taken')
    expect(await httpReports(url)(steps(3), signal)).toBe('taken')
    const text = await shown()
    expect(text).toContain(
      `${name}{program="aws-dnsrecord",kind="DNSRecord",operation="reconcile",outcome="succeeded",function="aws-dnsrecord"} 5`,
    )
    expect(text).toContain('trellis_bridge_reports_total{outcome="taken"} 2')
  })

  test('steps are received with the metrics, without unknown fields, and broken or huge ones are left out', async () => {
    const report = {
      ...{ event: 'e', function: 'f', object: 'A b', operation: 'reconcile', ms: 1, outcome: 'succeeded' },
      ...{ began: '2026-11-21T12:00:00.000Z', calls: [] },
    }
    const huge = { to: 'cloud', name: 'x'.repeat(70_000), after: 0, ms: 0, status: '200' }
    const given = [{ ...report, ofLaterVersion: 1 }, { ...report, ms: 'x' }, 7, { ...report, calls: [huge] }]
    expect(await post(JSON.stringify({ ...steps(1), steps: given }))).toBe(204)
    expect(received).toEqual([report])
    for (const other of [7, {}, null, 'x'])
      expect(await post(JSON.stringify({ ...steps(1), steps: other }))).toBe(204)
    expect(await shown()).toContain('trellis_bridge_reports_total{outcome="taken"} 5')
  })

  test('a report of a function of an earlier version has no steps', async () => {
    expect(await post(JSON.stringify(steps(1)))).toBe(204)
    expect(received).toEqual([])
  })

  test('invalid reports change nothing', async () => {
    expect(await post('{')).toBe(400)
    expect(await post(JSON.stringify({ ...steps(1), program: 'Not a name' }))).toBe(400)
    expect(await post(' '.repeat(600 * 1024))).toBe(413)
    expect(await shown()).not.toContain(`${name}{`)
    expect(await shown()).toContain('trellis_bridge_reports_total{outcome="refused"} 3')
  })

  test('values are limited to what a process can count, so that every sum stays a number', async () => {
    for (const value of [1e308, 1e308, -1, Number.NaN])
      expect(await post(JSON.stringify(steps(value)))).toBe(204)
    expect(await shown()).not.toContain(`${name}{`)
    expect(await post('['.repeat(200_000))).toBe(400)
  })

  test('reports beyond the concurrency limit are repeated, and then counted', async () => {
    receiver = createReportReceiver({ metrics: own, clock: virtualClock(0), log: quiet })
    const begun = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const slow = request(url, { method: 'POST', headers: { 'content-length': '2' } })
        slow.on('error', () => undefined)
        slow.write('{')
        await once(slow, 'socket')
        return slow
      }),
    )
    await expect.poll(() => post(JSON.stringify(steps(1)))).toBe(503)
    expect(await httpReports(url)(steps(1), signal)).toBe('not taken')
    await Promise.all(
      begun.map(async slow => {
        slow.end('}')
        await once(slow, 'response')
      }),
    )
    expect(await httpReports(url)(steps(1), signal)).toBe('taken')
    expect(await shown()).toMatch(/trellis_bridge_reports_total\{outcome="postponed"\} [2-9]/)
  })

  test('reports of more programs than a seed has are dropped', async () => {
    for (let index = 0; index < 201; index++)
      await post(JSON.stringify({ ...steps(1), program: `made-up-${index}` }))
    expect((await shown()).match(/^trellis_function_steps_total\{/gm)).toHaveLength(200)
    await post(JSON.stringify({ ...steps(1), program: 'made-up-0' }))
    expect(await shown()).toMatch(/program="made-up-0",.*\} 2$/m)
  })

  test('a limit drops further series, and counts the drops', async () => {
    const series = (from: number) =>
      Array.from({ length: 3_000 }, (_, index) => ({
        labels: ['DNSRecord', 'reconcile', `o${from + index}`, ''],
        value: 1,
      }))
    for (const from of [0, 3_000])
      await post(JSON.stringify({ program: 'aws-dnsrecord', series: { [name]: series(from) } }))
    const text = await shown()
    expect(text.match(/^trellis_function_steps_total\{/gm)).toHaveLength(5_000)
    expect(text).toContain('trellis_bridge_reports_total{outcome="curtailed"} 1')
  })

  test('without a listener a report was surely not counted, and without an answer it may have been counted', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    expect(await httpReports(`http://127.0.0.1:${port}/reports`)(steps(1), signal)).toBe('not taken')

    const silent = createServer(request => request.socket.destroy()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const at = (silent.address() as AddressInfo).port
    expect(await httpReports(`http://127.0.0.1:${at}/reports`)(steps(1), signal)).toBe('unknown')
    silent.close()
    await once(silent, 'close')
    expect(await httpReports(`${url}/elsewhere`)(steps(1), signal)).toBe('not taken')
  })
})
