/**
 * Time as a port: what reads the time or waits takes a `Clock`. The real one is `systemClock`; tests and the sandbox
 * move a virtual one by hand. Times are numbers in ms since the epoch, and texts only where an object has them.
 */

export { type FollowingSignal, followSignal } from './follow-signal.ts'
export { type Clock, sleepBy, systemClock, type Timestamp } from './system-clock.ts'
export { formatMicroseconds, formatMilliseconds, formatSeconds, parseTimestamp } from './timestamp.ts'
export { type VirtualClock, virtualClock } from './virtual-clock.ts'
