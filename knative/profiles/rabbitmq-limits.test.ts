import { describe, expect, test } from 'vitest'
import { functionService } from '../../shared/runtime/runtime.ts'
import { tooFewWorkers } from './rabbitmq-limits.ts'
import { rabbitmqWorkers } from './rabbitmq-profile.ts'

const usual = { retry: 5, backoffPolicy: 'exponential', backoffDelay: 'PT1S', timeout: 'PT75S' } as const

describe('the workers of a Trigger of RabbitMQ', () => {
  test('34 are enough: three rounds of six attempts of 75 s and 62 s of waits', () => {
    expect(tooFewWorkers(34, usual)).toBe(undefined)
    expect(tooFewWorkers(100, usual)).toBe(undefined)
  })

  test.each([
    [33, 4],
    [20, 5],
    [1, 100],
  ])('%i are too few: %i rounds', (workers, rounds) => {
    expect(tooFewWorkers(workers, usual)).toBe(
      `${workers} workers are too few for RabbitMQ: its dispatcher holds 100 events, which may take ${rounds} rounds of 8.5 minutes, and RabbitMQ closes its channel after 30 minutes. Allow 34 events at once (concurrency × maxScale), or reduce retry or timeout of the Broker's delivery`,
    )
  })

  test('fewer retries need fewer workers', () => {
    expect(tooFewWorkers(15, { ...usual, retry: 2 })).toBe(undefined)
    expect(tooFewWorkers(14, { ...usual, retry: 2 })).toContain('Allow 15 events at once')
    expect(tooFewWorkers(34, { ...usual, backoffPolicy: 'linear' })).toBe(undefined)
  })

  test('no number is enough if one event may take 30 minutes', () => {
    expect(tooFewWorkers(100, { ...usual, timeout: 'PT5M' })).toMatch(
      /after 30 minutes. Reduce retry or timeout/,
    )
  })

  test('a function without a limit has as many workers as the dispatcher holds events', () => {
    expect(rabbitmqWorkers(functionService({ concurrency: { value: 0, why: 'x' } }))).toBe(100)
    expect(
      rabbitmqWorkers(
        functionService({ concurrency: { value: 10, why: 'x' }, maxScale: { value: 4, why: 'x' } }),
      ),
    ).toBe(40)
  })
})
