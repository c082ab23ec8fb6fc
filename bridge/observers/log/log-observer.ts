import type { Log } from '../../../shared/log/log.ts'
import type { BridgeEvent, BridgeObserver } from '../bridge-event.ts'
import { refusalAdvice } from '../sink-trouble.ts'
import { isFirstReport } from '../unclaimed-message.ts'

const lines: Readonly<Record<BridgeEvent['type'], readonly [level: keyof Log, message: string]>> = {
  due: ['debug', 'object needs work'],
  later: ['debug', 'object has to wait'],
  held: ['info', 'object waits for its shoot'],
  emitted: ['debug', 'sending event'],
  accepted: ['info', 'event accepted'],
  unanswered: ['debug', 'event neither answered nor claimed yet'],
  answered: ['debug', 'request to the sink ended'],
  unclaimed: ['debug', 'object not claimed'],
  retried: ['debug', 'sink did not accept event'],
  parked: ['warn', 'event refused'],
  lost: ['info', 'broker could not deliver event'],
  'unknown operation': ['warn', 'object requests an unknown operation'],
  health: ['debug', 'health check ordered'],
  observation: ['debug', 'observation ordered'],
  ended: ['debug', 'step ended'],
  restarted: ['debug', 'watch restarted'],
  recovered: ['debug', 'watch recovered'],
  leadership: ['info', 'leadership changed'],
  synced: ['info', 'watching'],
}

/**
 * Logs each event of the bridge as a line with a constant message.
 *
 * @param debugs false: skips the lines of level `debug`, which are most
 */
export const logObserver = (log: Log, debugs: boolean): BridgeObserver => ({
  event: event => {
    const [usual, message] = lines[event.type]
    const isWarning =
      event.type === 'observation'
        ? event.outcome === 'refused' || event.outcome === 'impossible'
        : (event.type === 'unclaimed' || event.type === 'lost') && isFirstReport(event)
    const level = isWarning ? 'warn' : usual
    if (level === 'debug' && !debugs) return
    const { type: _, ...fields } = event
    const advice = event.type === 'parked' && event.status > 0 && { advice: refusalAdvice(event.status) }
    log[level](message, { ...fields, ...advice })
  },
})
