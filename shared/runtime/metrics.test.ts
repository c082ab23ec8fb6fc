import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const lines = async (metrics: ReturnType<typeof createMetrics>): Promise<string[]> =>
  (await metrics.render()).text.split('\n').filter(line => line !== '' && !line.startsWith('#'))

describe('createMetrics', () => {
  test('counts from before and after a scrape are both shown', async () => {
    const metrics = createMetrics()
    const count = metrics.counter('events_total', 'Events.', ['outcome'])
    count({ outcome: 'recorded' })
    count({ outcome: 'recorded' }, 2)
    expect(await lines(metrics)).toEqual(['events_total{outcome="recorded"} 3'])
    count({ outcome: 'busy' })
    expect(await lines(metrics)).toContain('events_total{outcome="busy"} 1')
  })

  test('a gauge retains its last value and a histogram its sum', async () => {
    const metrics = createMetrics()
    const gauge = metrics.gauge('in_flight', 'In flight.')
    const seconds = metrics.histogram('event_seconds', 'Time.', ['kind'], [1, 5])
    gauge(3)
    gauge(1)
    seconds(0.5, { kind: 'DNSRecord' })
    seconds(3, { kind: 'DNSRecord' })
    const shown = await lines(metrics)
    expect(shown).toContain('in_flight 1')
    expect(shown).toContain('event_seconds_bucket{le="1",kind="DNSRecord"} 1')
    expect(shown).toContain('event_seconds_sum{kind="DNSRecord"} 3.5')
  })

  test('Node’s own metrics have names that fit their types, as the lint of promtool requires', async () => {
    const { text } = await createMetrics({ processMetrics: true }).render()
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }))
    expect(types.length).toBeGreaterThan(10)
    for (const { name, type } of types)
      expect([name, type === 'counter']).toEqual([name, /_total$/.test(name)])
  })

  test('two users of one name share a metric', async () => {
    const metrics = createMetrics()
    for (const name of ['one', 'other'])
      metrics.counter('events_total', 'Events.', ['function'])({ function: name })
    expect(await lines(metrics)).toEqual([
      'events_total{function="one"} 1',
      'events_total{function="other"} 1',
    ])
  })

  test('the lag of the event loop does not contain the period of its samples', async () => {
    const shown = await lines(createMetrics({ processMetrics: true }))
    expect(shown).toContain('nodejs_eventloop_lag_p99_seconds 0')
    const lags = shown.filter(line => line.startsWith('nodejs_eventloop_lag')).map(line => line.split(' ')[0])
    expect(lags).toEqual(['nodejs_eventloop_lag_seconds', 'nodejs_eventloop_lag_p99_seconds'])
  })

  test('process metrics are shown if requested', async () => {
    const shown = await lines(createMetrics({ processMetrics: true }))
    expect(shown.some(line => line.startsWith('process_cpu_seconds_total'))).toBe(true)
  })
})
