import type { Timestamp } from '../clock/clock.ts'
import type { KindName } from '../contract/kind-names.ts'

/** Waiting work and its reason, as the process logs it at SIGUSR2. */
export interface WaitingRow {
  readonly kind: KindName
  readonly object: string
  /** `ignored`: the object requests an unknown operation. */
  readonly state: 'ready' | 'in flight' | 'backing off' | 'waiting' | 'held' | 'parked' | 'ignored'
  readonly why: string
  readonly operation: string
  readonly reason: string
  readonly attempt: number
  readonly id: string
  /** The time at which the object needed it, according to the object itself; otherwise when the bridge saw it. */
  readonly since: Timestamp
  /** The latest end of the wait. */
  readonly at: Timestamp | undefined
  /** Why the last delivery failed, otherwise the error of the last step; '' if there is neither. */
  readonly lastError: string
}
