import type { Metrics } from '../runtime/runtime.ts'
import type { Runner } from './create-runner.ts'
import type { RunnerEvent } from './runner-event.ts'

/** The runner's part of `/metrics`. */
export interface RunnerMetrics {
  event(event: RunnerEvent): void
  /** Reads the gauges that describe state; call it before rendering. */
  collect(runner: Pick<Runner, 'states'>): void
}

export const createRunnerMetrics = (metrics: Metrics): RunnerMetrics => {
  const starts = metrics.counter(
    'trellis_runner_starts_total',
    'Starts of the process of a program, by result: awake or failed.',
    ['program', 'outcome'],
  )
  const ends = metrics.counter(
    'trellis_runner_ends_total',
    'Ends of the process of a program: idle, room (another program needed its memory), crashed, unresponsive, memory (above its limit), closed.',
    ['program', 'reason'],
  )
  const seconds = metrics.histogram(
    'trellis_runner_start_seconds',
    'Time from the need for a process until it listened.',
    ['program'],
  )
  const deliveries = metrics.counter(
    'trellis_runner_deliveries_total',
    'Attempts to deliver an event to a function: done, refused, retried, dropped after the last attempt, replaced by a newer event of the object.',
    ['function', 'outcome'],
  )
  const memory = metrics.gauge(
    'trellis_runner_memory_bytes',
    'Resident memory of the process of a program; 0 without a process.',
    ['program'],
  )
  const awake = metrics.gauge('trellis_runner_awake', '1 while a process of the program receives events.', [
    'program',
  ])
  const waiting = metrics.gauge('trellis_runner_waiting', 'Events that wait for a program.', ['program'])

  return {
    event: event => {
      switch (event.type) {
        case 'started':
          starts({ program: event.program, outcome: 'awake' })
          return seconds(event.tookMs / 1000, { program: event.program })
        case 'start failed':
          return starts({ program: event.program, outcome: 'failed' })
        case 'ended':
          return ends({ program: event.program, reason: event.reason })
        case 'memory':
          return memory(event.bytes, { program: event.program })
        case 'delivery':
          return deliveries({ function: event.function, outcome: event.outcome })
      }
    },
    collect: runner => {
      for (const { program, ...state } of runner.states()) {
        awake(state.awake ? 1 : 0, { program })
        waiting(state.waiting, { program })
      }
    },
  }
}
