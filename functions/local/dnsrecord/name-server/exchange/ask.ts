import type { Clock } from '../../../../../shared/clock/clock.ts'
import type { DnsMessage } from '../message.ts'

/** One try to get an answer. */
export interface Ask {
  readonly message: DnsMessage
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long it may take, in ms. */
  readonly answerMs: number
}
