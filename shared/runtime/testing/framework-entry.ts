import { cloudEvent } from '@google-cloud/functions-framework'
import type { Log } from '../../log/log.ts'
import { registerWithFramework } from '../framework.ts'

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A function for the framework's own programs. The event's `reason` selects the outcome. */
registerWithFramework(cloudEvent, 'echo', {
  accepts: event => event.provider === 'aws-route53',
  log: quiet,
  handle: async event => {
    switch (event.reason) {
      case 'busy':
        return { kind: 'busy', retryAfterSeconds: 7 }
      case 'bug':
        throw new Error('planted-secret')
      case 'unrecorded':
        return { kind: 'unrecorded', reason: 'API server unreachable' }
      default:
        process.stdout.write(`handled ${event.id}\n`)
        return { kind: 'recorded' }
    }
  },
})
