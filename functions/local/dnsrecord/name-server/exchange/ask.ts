import type { Clock } from '../../../../../shared/clock/clock.ts'
import type { DnsMessage } from '../message.ts'

/** One attempt to get an answer. */
export interface Ask {
  readonly message: DnsMessage
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The time limit, in milliseconds. */
  readonly answerMs: number
}
