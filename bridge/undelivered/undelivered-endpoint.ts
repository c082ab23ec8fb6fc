import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../shared/clock/clock.ts'
import type { HttpHeaders } from '../../shared/events/events.ts'
import type { Log } from '../../shared/log/log.ts'
import { type Metrics, readBody } from '../../shared/runtime/runtime.ts'
import type { Core } from '../core/core.ts'
import { readDeadLetter } from './read-dead-letter.ts'
import type { Relay } from './relay.ts'

/** The path of the bridge for events that a Broker could not deliver. */
export const undeliveredPath = '/undelivered'

/** Takes the events that a Broker could not deliver: the dead letter sink of the Broker. */
export interface UndeliveredEndpoint {
  /**
   * Answers the request and returns true if it is for this endpoint. Statuses: 204 read, also if nothing follows; 400
   * not an event of a bridge; 503 this bridge does not lead, or has too many at once.
   */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

export interface UndeliveredOptions {
  readonly bridge: () => Pick<Core, 'lost' | 'leading'>
  /** Passes a message to the bridge that leads. Default: the broker has to repeat it. */
  readonly relay?: Relay | undefined
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

/** At its end, a dispatcher of RabbitMQ returns 100 events per Trigger. */
const mostAtOnce = 256
/** The body is read and discarded: an event has 64 KiB at most. */
const heldBytes = 8 * 1024
const bodyTimeoutMs = 5_000

/** The bridge's own metrics about dead letters. */
export const undeliveredMetrics = (metrics: Metrics) =>
  metrics.counter(
    'trellis_bridge_dead_letters_total',
    'Events that a Broker returned, by result: sent again, outdated, passed to the bridge that leads, refused, or postponed.',
    ['outcome'],
  )

/** A dead letter proves itself: it has the secret of its request, which only the broker and the function got. */
export const createUndelivered = ({
  bridge,
  relay,
  metrics,
  clock,
  log,
}: UndeliveredOptions): UndeliveredEndpoint => {
  const counted = undeliveredMetrics(metrics)
  let underWay = 0

  const statusOf = async (headers: HttpHeaders): Promise<number> => {
    const letter = readDeadLetter(headers)
    if (letter === undefined) {
      counted({ outcome: 'refused' })
      log.debug('request is not an undelivered event')
      return 400
    }
    if (bridge().leading()) {
      counted({ outcome: bridge().lost(letter) })
      return 204
    }
    const passed = await relay?.(headers)
    counted({ outcome: passed === 204 ? 'passed' : 'postponed' })
    return passed === 204 ? 204 : 503
  }

  const statusOfRead = async (request: IncomingMessage): Promise<number> => {
    if (underWay >= mostAtOnce) {
      counted({ outcome: 'postponed' })
      return 503
    }
    underWay++
    try {
      // Otherwise the sender may not see the answer.
      await readBody(request, { limitBytes: heldBytes, timeoutMs: bodyTimeoutMs, clock })
      return await statusOf(request.headersDistinct)
    } finally {
      underWay--
    }
  }

  return {
    answer: (request, response) => {
      if (request.method !== 'POST' || request.url !== undeliveredPath) return false
      statusOfRead(request).then(
        // The next connection may reach another replica.
        status => response.writeHead(status, { connection: 'close' }).end(),
        () => response.destroy(),
      )
      return true
    },
  }
}
