import type { Log } from '../../../shared/log/log.ts'
import type { BridgeEvent, Observer } from '../../core/core.ts'
import { refusalAdvice } from '../sink-trouble.ts'
import { isWorthTelling } from '../unclaimed-message.ts'

const lines: Readonly<Record<BridgeEvent['type'], readonly [level: keyof Log, message: string]>> = {
  due: ['debug', 'an object has work to do'],
  later: ['debug', 'an object has to wait'],
  held: ['info', 'an object waits for its shoot'],
  emitted: ['debug', 'sending an event'],
  accepted: ['info', 'an event has arrived'],
  unanswered: ['debug', 'an event is neither answered nor claimed yet'],
  answered: ['debug', 'a request to the sink ended'],
  unclaimed: ['debug', 'nobody claims an object'],
  retried: ['debug', 'the sink did not take an event'],
  parked: ['warn', 'an event was refused'],
  'unknown operation': ['warn', 'an object asks for an unknown operation'],
  health: ['debug', 'a health check is ordered'],
  ended: ['debug', 'a step has ended'],
  restarted: ['debug', 'a watch is begun again'],
  recovered: ['debug', 'a watch works again'],
  leadership: ['info', 'the leadership changed'],
  synced: ['info', 'watching'],
}

/** Logs one line for an unclaimed object when a slow start can no longer be the reason; repeats add nothing. */
const isWorthALine = (event: BridgeEvent): boolean =>
  event.type === 'unclaimed' &&
  isWorthTelling(event) &&
  (event.times === 0 || event.times === (event.known.includes(event.provider) ? 4 : 2))

/** Logs each event of the bridge as a line with a constant message. */
export const logObserver = (log: Log): Observer => ({
  event: event => {
    const { type, ...fields } = event
    const [level, message] = lines[type]
    const advice = event.type === 'parked' && event.status > 0 && { advice: refusalAdvice(event.status) }
    log[isWorthALine(event) ? 'warn' : level](message, { ...fields, ...advice })
  },
})
