import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { StepReport } from '../../journal/journal.ts'
import type { Log } from '../../log/log.ts'
import { stepQueue } from '../steps/step-queue.ts'
import { functionMetricDefinitions, lostSteps, requestMetrics } from './function-metrics.ts'
import type { MetricsReport } from './report.ts'
import { parseReport } from './report.ts'
import { createReportedMetrics, mostSeries } from './reported-metrics.ts'
import { createReporter } from './reporter.ts'
import type { ReportFate } from './send-report.ts'

const shown = async (metrics: ReturnType<typeof createReportedMetrics>): Promise<string[]> =>
  (await metrics.render()).text.split('\n').filter(line => line !== '' && !line.startsWith('#'))

describe('reported metrics', () => {
  test('show the total and hand over the counts since the last time', async () => {
    const metrics = createReportedMetrics()
    const count = metrics.counter('events_total', 'Events.', ['outcome'])
    count({ outcome: 'recorded' }, 2)
    expect(metrics.take()).toEqual({ events_total: [{ labels: ['recorded'], value: 2 }] })
    count({ outcome: 'recorded' })
    expect(metrics.take()).toEqual({ events_total: [{ labels: ['recorded'], value: 1 }] })
    expect(metrics.take()).toEqual({})
    expect(await shown(metrics)).toEqual(['events_total{outcome="recorded"} 3'])
  })

  test('restore undelivered counts and add them to newer ones', () => {
    const metrics = createReportedMetrics()
    const seconds = metrics.histogram('seconds', 'Time.', ['kind'], [1, 5])
    seconds(0.5, { kind: 'DNSRecord' })
    const taken = metrics.take()
    seconds(7, { kind: 'DNSRecord' })
    metrics.giveBack(taken)
    expect(metrics.take()).toEqual({ seconds: [{ labels: ['DNSRecord'], value: 7.5, counts: [1, 0, 1] }] })
  })

  test('show histograms and gauges in the format of Prometheus', async () => {
    const metrics = createReportedMetrics()
    const seconds = metrics.histogram('seconds', 'Time.', ['kind'], [1, 5])
    const gauge = metrics.gauge('in_flight', 'In flight.')
    seconds(0.5, { kind: 'DNSRecord' })
    seconds(3, { kind: 'DNSRecord' })
    gauge(3)
    gauge(1)
    expect(await shown(metrics)).toEqual([
      'seconds_bucket{le="1",kind="DNSRecord"} 1',
      'seconds_bucket{le="5",kind="DNSRecord"} 2',
      'seconds_bucket{le="+Inf",kind="DNSRecord"} 2',
      'seconds_sum{kind="DNSRecord"} 3.5',
      'seconds_count{kind="DNSRecord"} 2',
      'in_flight 1',
    ])
  })

  test('stay within their limits for any label values', () => {
    const metrics = createReportedMetrics()
    const requests = requestMetrics(metrics)
    for (let index = 0; index < 10 * mostSeries; index++)
      requests.kubernetes({ method: 'GET', status: String(index) })
    expect(metrics.take().trellis_function_kubernetes_requests_total).toHaveLength(mostSeries)
  })
})

const setUp = () => {
  const clock = virtualClock(0)
  const metrics = createReportedMetrics()
  const sent: MetricsReport[] = []
  const warned: string[] = []
  const log: Log = {
    debug: () => {},
    info: message => warned.push(message),
    warn: message => warned.push(message),
    error: () => {},
  }
  let fate: ReportFate = 'taken'
  let collected = 0
  const used = metrics.counter('used_total', 'Used.')
  const steps = stepQueue(lostSteps(metrics))
  const reporter = createReporter({
    name: 'aws-dnsrecord',
    metrics,
    send: async report => {
      sent.push(report)
      return fate
    },
    clock,
    log,
    collect: () => {
      collected++
      used()
    },
    steps,
  })
  const count = metrics.counter('steps_total', 'Steps.')
  const counted = () => sent.map(({ series }) => series.steps_total?.[0]?.value)
  return {
    clock,
    metrics,
    sent,
    warned,
    reporter,
    steps,
    count,
    counted,
    collected: () => collected,
    answer: (next: ReportFate) => (fate = next),
  }
}

const step = (event: number): StepReport => ({
  ...{
    event: String(event),
    function: 'f',
    object: 'A b',
    operation: 'reconcile',
    ms: 1,
    outcome: 'succeeded',
  },
  began: '2026-11-21T12:00:00.000Z',
  calls: Array.from({ length: 100 }, () => ({
    ...{ to: 'cloud' as const, name: 'ec2 X', args: 'x'.repeat(500), after: 0, ms: 0, status: '200' },
  })),
})

describe('a reporter', () => {
  test('reports all changes once, a few seconds after the first, then stays silent', async () => {
    const { clock, sent, count, counted } = setUp()
    count()
    await clock.advance(4_999)
    expect(sent).toEqual([])
    count()
    await clock.advance(1)
    expect(counted()).toEqual([2])
    expect(sent[0]?.program).toBe('aws-dnsrecord')
    await clock.advance(3_600_000)
    expect(sent).toHaveLength(1)
  })

  test('retries a report that was surely not received, with new changes and a growing delay', async () => {
    const { clock, count, counted, answer, warned } = setUp()
    answer('not taken')
    count()
    await clock.advance(5_000)
    count()
    await clock.advance(10_000)
    expect(counted()).toEqual([1, 2])
    await clock.advance(3_600_000)
    // In the end one attempt every 5 minutes.
    expect(counted().length).toBeLessThan(22)
    answer('taken')
    await clock.advance(300_000)
    expect(counted().at(-1)).toBe(2)
    const all = counted().length
    await clock.advance(3_600_000)
    expect(counted()).toHaveLength(all)
    expect(warned).toEqual(['report of metrics was not accepted', 'reports of metrics are accepted again'])
  })

  test('reports steps with the metrics, several reports at once if one has no room, and again if it was not received', async () => {
    const { clock, sent, steps, answer } = setUp()
    answer('not taken')
    for (let event = 0; event < 10; event++) steps.push(step(event))
    await clock.advance(5_000)
    expect(sent).toHaveLength(1)
    answer('taken')
    await clock.advance(10_000)
    const first = sent[0]?.steps?.length ?? 0
    expect(sent.length).toBeGreaterThan(2)
    expect(
      sent.flatMap(report => report.steps?.map(({ event }) => Number(event)) ?? []).slice(first),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    await clock.advance(3_600_000)
    expect(steps.size()).toBe(0)
  })

  test('reports the remaining steps at the end', async () => {
    const { sent, steps, reporter } = setUp()
    steps.push(step(7))
    await reporter.close()
    expect(sent.flatMap(report => report.steps?.map(({ event }) => event) ?? [])).toEqual(['7'])
  })

  test('never retries a report that may have been received, and counts it as lost', async () => {
    const { clock, sent, count, counted, answer } = setUp()
    answer('unknown')
    count()
    await clock.advance(5_000)
    answer('taken')
    count()
    await clock.advance(10_000)
    expect(counted()).toEqual([1, 1])
    expect(sent[1]?.series.trellis_function_reports_lost_total).toEqual([{ labels: [], value: 1 }])
  })

  test('sends the remaining counts when the process ends, and nothing afterwards', async () => {
    const { clock, sent, count, counted, reporter, collected } = setUp()
    count()
    await reporter.close()
    expect(counted()).toEqual([1])
    expect(collected()).toBe(1)
    count()
    await clock.advance(3_600_000)
    expect(sent).toHaveLength(1)
  })
})

describe('a report', () => {
  const known = new Map(functionMetricDefinitions().map(definition => [definition.name, definition]))
  const name = 'trellis_function_steps_total'
  const good = { labels: ['DNSRecord', 'reconcile', 'succeeded', 'aws-dnsrecord'], value: 1 }
  const parse = (series: object, from: unknown = 'aws-dnsrecord') =>
    parseReport(JSON.stringify({ program: from, series }), known)

  test('is parsed to the same value that was sent', () => {
    expect(parse({ [name]: [good] })).toEqual({ program: 'aws-dnsrecord', series: { [name]: [good] } })
  })

  test.each([
    ['a label too few', { ...good, labels: ['DNSRecord', 'reconcile'] }],
    [
      'a label of a text that could hide anything',
      { ...good, labels: ['DNSRecord', 'reconcile', 'a b', ''] },
    ],
    ['a label that is long', { ...good, labels: ['DNSRecord', 'reconcile', 'x'.repeat(64), ''] }],
    ['a value that goes back', { ...good, value: -1 }],
    ['no number', { ...good, value: '1' }],
    ['buckets of a counter', { ...good, counts: [1] }],
    ['nothing', null],
  ])('drops a series with %s, and no other', (_, bad) => {
    expect(parse({ [name]: [bad, good] })?.series).toEqual({ [name]: [good] })
  })

  test.each([
    ['too few', [1]],
    ['too many', Array(13).fill(1)],
    ['broken', Array(12).fill(0.5)],
  ])('drops a histogram with buckets that are %s', (_, counts) => {
    const seconds = 'trellis_function_cloud_request_seconds'
    const whole = { labels: ['route53'], value: 1, counts: Array(12).fill(1) }
    expect(parse({ [seconds]: [{ ...whole, counts }, whole] })?.series).toEqual({ [seconds]: [whole] })
  })

  test('drops a gauge, because its process may have ended', () => {
    const gauge = { labels: ['aws-dnsrecord'], value: 1 }
    expect(parse({ trellis_function_events_in_flight: [gauge] })?.series).toEqual({})
  })

  test('drops a metric that the receiver does not know', () => {
    expect(parse({ of_another_version_total: [good], [name]: [good] })?.series).toEqual({ [name]: [good] })
  })

  test.each([
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['no name', '{"series":{}}'],
    ['a name that no function has', JSON.stringify({ program: 'a/b', series: {} })],
    ['no series', '{"program":"aws-dnsrecord"}'],
  ])('is refused if it is %s', (_, text) => expect(parseReport(text, known)).toBeUndefined())
})
