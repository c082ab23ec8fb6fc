import { http } from '@google-cloud/functions-framework'
import { systemClock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { eventEndpoint } from '../event-endpoint.ts'
import { createMetrics } from '../metrics.ts'

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A function for the framework's command line. The event's `reason` selects the outcome. */
const { answer } = eventEndpoint({
  name: 'echo',
  accepts: event => event.provider === 'aws-route53',
  settings: { maxConcurrency: 0, drainMs: 25_000 },
  metrics: createMetrics(),
  log: quiet,
  clock: systemClock,
  handle: async ({ id, reason }) => {
    process.stdout.write(`began ${id}\n`)
    if (reason === 'endless') await new Promise(() => {})
    if (reason === 'bug') {
      setTimeout(() => {
        throw new Error('outside of the step')
      })
      await new Promise(() => {})
    }
    return reason === 'busy' ? { kind: 'busy', retryAfterSeconds: 7 } : { kind: 'recorded' }
  },
})
http('echo', answer)
