import type { Log } from '../shared/lifecycle/actuator.ts'
import type { BridgeEvent } from './bridge-event.ts'

const lines: Readonly<Record<BridgeEvent['type'], readonly [level: keyof Log, message: string]>> = {
  due: ['debug', 'an object has work to do'],
  later: ['debug', 'an object has to wait'],
  held: ['info', 'an object waits for its shoot'],
  emitted: ['debug', 'sending an event'],
  accepted: ['info', 'the sink accepted an event'],
  retried: ['debug', 'the sink did not take an event'],
  parked: ['warn', 'an event was refused for good'],
  restarted: ['debug', 'a watch is begun again'],
  recovered: ['debug', 'a watch works again'],
  leadership: ['info', 'the leadership changed'],
  synced: ['info', 'watching'],
}

/** Writes what happens in the bridge as a line with a constant message. */
export const logEvent = (log: Log, { type, ...fields }: BridgeEvent): void => {
  const [level, message] = lines[type]
  log[level](message, fields)
}
