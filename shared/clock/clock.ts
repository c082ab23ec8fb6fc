/**
 * Time as a port: code that reads the time or waits takes a `Clock`. `systemClock` is the real one; tests and the
 * sandbox advance a virtual one. Times are numbers in ms since the epoch, and texts only in objects.
 */

export { followSignal } from './follow-signal.ts'
export { parseIsoDuration } from './iso-duration.ts'
export { type Clock, sleepBy, systemClock, type Timestamp } from './system-clock.ts'
export { formatMicroseconds, formatMilliseconds, formatSeconds, parseTimestamp } from './timestamp.ts'
export { type VirtualClock, virtualClock } from './virtual-clock.ts'
export { withinSignal } from './within-signal.ts'
