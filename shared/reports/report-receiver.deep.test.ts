import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock, virtualClock } from '../clock/clock.ts'
import type { StepReport } from '../journal/journal.ts'
import { createMetrics, functionMetricDefinitions, httpReports, reportToken } from '../runtime/runtime.ts'
import { createReportReceiver } from './report-receiver.ts'
import { createReportSenders } from './report-senders.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const metrics = () => createMetrics()
let receiver: ReturnType<typeof createReportReceiver>
let own: ReturnType<typeof createMetrics>
let received: StepReport[] = []
const server = createServer((request, response) => {
  if (!receiver.answer(request, response)) response.writeHead(404).end()
})
let url = ''
const senders = createReportSenders({ kubernetes: {}, namespace: undefined, clock: systemClock })
const sendAs = (program = 'aws-dnsrecord') => httpReports(url, reportToken(senders.tokenOf(program)))

beforeEach(async () => {
  own = metrics()
  received = []
  receiver = createReportReceiver({
    ...{ metrics: own, clock: systemClock, log: quiet, senders },
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
const post = async (body: string, program = 'aws-dnsrecord') =>
  (
    await fetch(url, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${senders.tokenOf(program)}` },
    })
  ).status

describe('reports of functions', () => {
  test('reports of all processes are summed, beside the metrics of the bridge', async () => {
    expect(await sendAs()(steps(2), signal)).toBe('taken')
    expect(await sendAs()(steps(3), signal)).toBe('taken')
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
    receiver = createReportReceiver({ metrics: own, clock: virtualClock(0), log: quiet, senders })
    const begun = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const slow = request(url, {
          method: 'POST',
          headers: { 'content-length': '2', authorization: `Bearer ${senders.tokenOf('a')}` },
        })
        slow.on('error', () => undefined)
        slow.write('{')
        await once(slow, 'socket')
        return slow
      }),
    )
    await expect.poll(() => post(JSON.stringify(steps(1)))).toBe(503)
    expect(await sendAs()(steps(1), signal)).toBe('not taken')
    await Promise.all(
      begun.map(async slow => {
        slow.end('}')
        await once(slow, 'response')
      }),
    )
    expect(await sendAs()(steps(1), signal)).toBe('taken')
    expect(await shown()).toMatch(/trellis_bridge_reports_total\{outcome="postponed"\} [2-9]/)
  })

  test('reports of more programs than a seed has are dropped', async () => {
    for (let index = 0; index < 201; index++)
      await post(JSON.stringify({ ...steps(1), program: `made-up-${index}` }), `made-up-${index}`)
    expect((await shown()).match(/^trellis_function_steps_total\{/gm)).toHaveLength(200)
    await post(JSON.stringify({ ...steps(1), program: 'made-up-0' }), 'made-up-0')
    expect(await shown()).toMatch(/program="made-up-0",.*\} 2$/m)
  })

  test('a limit over all metrics drops further series, and counts the drops', async () => {
    const known = functionMetricDefinitions().filter(({ type }) => type !== 'gauge')
    const series = (from: number) =>
      Object.fromEntries(
        known.map(({ name: metric, labels, buckets = [], type }) => [
          metric,
          Array.from({ length: 120 }, (_, index) => ({
            labels: labels.map(label => `${label}-${from + index}`.padEnd(63, 'x')),
            value: 1,
            ...(type === 'histogram' && { counts: new Array(buckets.length + 1).fill(1) }),
          })),
        ]),
      )
    for (let report = 0; report < 195; report++) {
      const program = `program-${report % 10}`
      expect(await post(JSON.stringify({ program, series: series(report * 120) }), program)).toBe(204)
    }
    const text = await shown()
    expect(text.length).toBeLessThan(5 * 1024 * 1024)
    expect(text).toMatch(/trellis_bridge_reports_total\{outcome="curtailed"\} \d+/)
  })

  test('a program cannot take the room of the others', async () => {
    const series = Array.from({ length: 3_000 }, (_, index) => ({
      labels: ['DNSRecord', 'reconcile', `o${index}`, ''],
      value: 1,
    }))
    await post(JSON.stringify({ program: 'aws-worker', series: { [name]: series } }), 'aws-worker')
    expect((await shown()).match(/^trellis_function_steps_total\{/gm)).toHaveLength(2_500)
    expect(await post(JSON.stringify(steps(7)))).toBe(204)
    expect(await shown()).toMatch(/program="aws-dnsrecord",.*\} 7$/m)
  })

  test.each([
    ['without a token', undefined, 401],
    ['with an invented token', 'Bearer aws-dnsrecord.AAAA', 401],
    ['with an empty token', 'Bearer ', 401],
    ['with the token of another function', `Bearer ${senders.tokenOf('aws-worker')}`, 403],
  ])('a report %s changes neither metrics nor the journal', async (_, authorization, status) => {
    const report = {
      ...{ event: 'e', function: 'f', object: 'A b', operation: 'reconcile', ms: 1, outcome: 'succeeded' },
      ...{ began: '2026-11-21T12:00:00.000Z', calls: [] },
    }
    const body = JSON.stringify({ ...steps(1), steps: [report] })
    const answer = await fetch(url, { method: 'POST', body, headers: authorization ? { authorization } : {} })
    expect(answer.status).toBe(status)
    expect(received).toEqual([])
    expect(await shown()).not.toContain(`${name}{`)
    expect(await shown()).toContain('trellis_bridge_reports_total{outcome="unproved"} 1')
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
