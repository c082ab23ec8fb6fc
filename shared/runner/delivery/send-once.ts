import { type HttpMessage, type PostAnswer, PostTimeoutError } from '../../events/events.ts'
import { cutText } from '../../text/cut-text.ts'
import { messageOf } from '../../text/message-of.ts'
import type { AwakeProcess } from '../program/awake-process.ts'

/** An event that waits for a function, ready to be sent. */
export interface QueuedEvent {
  /** The operation and the uid of its object. */
  readonly key: string
  readonly id: string
  readonly subject: string
  readonly message: HttpMessage
  readonly bytes: number
  /** Starts at 1. */
  readonly attempt: number
}

export type AttemptEnd =
  | { readonly kind: 'done' }
  /** The function never accepts this event. */
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | {
      readonly kind: 'retry'
      readonly reason: string
      /** Absent: no answer. */
      readonly status?: number
      /** True if the process did not answer in time. */
      readonly late: boolean
    }

/** These 4xx are about the moment, as for a broker: Not Found, Request Timeout, Conflict, Too Many Requests. */
const passing: ReadonlySet<number> = new Set([404, 408, 409, 429])

/** Sends an event once. Never rejects. */
export const sendOnce = async (
  { process, signal }: AwakeProcess,
  path: string,
  { message }: QueuedEvent,
): Promise<AttemptEnd> => {
  try {
    return resultOf(await process.post(path, message, signal))
  } catch (error) {
    return { kind: 'retry', reason: messageOf(error), late: error instanceof PostTimeoutError }
  }
}

const resultOf = ({ status, body }: PostAnswer): AttemptEnd => {
  if (status >= 200 && status < 300) return { kind: 'done' }
  const said = cutText(Buffer.from(body).toString().trim(), 300)
  const reason = `answered ${status}${said === '' ? '' : `: ${said}`}`
  return status >= 500 || passing.has(status)
    ? { kind: 'retry', status, reason, late: false }
    : { kind: 'refused', status, reason }
}
