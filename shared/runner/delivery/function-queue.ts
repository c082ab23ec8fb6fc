import type { Clock } from '../../clock/clock.ts'
import {
  type ExtensionEvent,
  eventMessage,
  type HttpMessage,
  type PostAnswer,
  PostTimeoutError,
} from '../../events/events.ts'
import type { Log } from '../../log/log.ts'
import { cutText } from '../../text/cut-text.ts'
import { messageOf } from '../../text/message-of.ts'
import type { AwakeProcess } from '../program/awake-process.ts'
import type { ProgramLife } from '../program/program-life.ts'
import { type HostedFunction, pathOf } from '../programs.ts'
import type { DeliveryOutcome, ObserveRunner } from '../runner-event.ts'

/** The events of one function: those that wait, and as many in flight as its concurrency allows. */
export interface FunctionQueue {
  /** Accepts an event, or returns why it cannot. */
  add(event: ExtensionEvent): string | undefined
  /** Sends waiting events, or wakes the program for them. */
  pump(): void
  /** Returns true if an event is ready to be sent. */
  isNeeded(): boolean
  waiting(): number
  /** Drops the waiting events. Resolves when none is in flight. */
  close(): Promise<void>
}

export interface FunctionQueueOptions {
  readonly fn: HostedFunction
  readonly program: ProgramLife
  /** The space that waiting events of the program share. */
  readonly space: QueueSpace
  readonly clock: Clock
  readonly log: Log
  readonly observe: ObserveRunner
}

/** The bound for the waiting events of one program. */
export interface QueueSpace {
  events: number
  bytes: number
}

/** The waits before another attempt, as in a Trigger. The bridge sends a dropped event again (`unclaimedMs`). */
const retryWaitsMs = [1_000, 2_000, 4_000, 8_000, 16_000]
const mostEvents = 1_000
const mostBytes = 8 * 2 ** 20

export const createFunctionQueue = (options: FunctionQueueOptions): FunctionQueue => {
  const { fn, program, space, clock, log, observe } = options
  const path = pathOf(program.settings, fn)
  /** By operation and object, in the order of delivery. */
  const ready = new Map<string, QueuedEvent>()
  /** Events that wait for another attempt. */
  const later = new Map<string, { readonly queued: QueuedEvent; readonly cancel: () => void }>()
  const flights = new Set<Promise<void>>()
  const closed = new AbortController()

  const count = (queued: QueuedEvent, change: 1 | -1) => {
    space.events += change
    space.bytes += change * queued.bytes
  }

  const add = (event: ExtensionEvent): string | undefined => {
    const key = `${event.operation} ${event.objectuid}`
    const postponed = later.get(key)
    const present = ready.get(key) ?? postponed?.queued
    if (present?.id === event.id) return undefined
    const message = eventMessage(event)
    const trace = event.traceparent === undefined ? {} : { traceparent: event.traceparent }
    const queued: QueuedEvent = {
      ...{ key, id: event.id, subject: event.subject, attempt: 1, bytes: message.body.length },
      message: { ...message, headers: { ...message.headers, ...trace } },
    }
    if (present === undefined && (space.events >= mostEvents || space.bytes + queued.bytes > mostBytes))
      return `${space.events} events wait for ${program.settings.name}`
    // A step reads the object, so the newest event stands for the older ones. It gets the place of the first.
    if (present !== undefined) count(present, -1)
    postponed?.cancel()
    later.delete(key)
    ready.set(key, queued)
    count(queued, 1)
    pump()
    return undefined
  }

  const pump = () => {
    while (!closed.signal.aborted && (fn.concurrency === 0 || flights.size < fn.concurrency)) {
      const [queued] = ready.values()
      if (queued === undefined) return
      const awake = program.current()
      if (awake === undefined) return program.wake()
      ready.delete(queued.key)
      count(queued, -1)
      const flight = deliver(queued, awake).finally(() => {
        flights.delete(flight)
        pump()
      })
      flights.add(flight)
    }
  }

  const deliver = async (queued: QueuedEvent, awake: AwakeProcess): Promise<void> => {
    awake.began()
    const result = await sendOnce(awake, path, queued)
    awake.finished(result.kind !== 'retry' || result.status !== undefined)
    if (result.kind === 'retry' && result.late) awake.isLate()
    const outcome = apply(queued, result)
    observe({ type: 'delivery', function: fn.name, outcome })
  }

  const apply = (queued: QueuedEvent, result: AttemptEnd): DeliveryOutcome => {
    if (result.kind === 'done') return 'done'
    const { id, subject, attempt } = queued
    const { reason } = result
    const about = { function: fn.name, id, object: subject, attempt, reason }
    if (result.kind === 'refused') {
      log.warn('function refuses an event', about)
      return 'refused'
    }
    if (closed.signal.aborted) return 'dropped'
    if (ready.has(queued.key)) return 'replaced'
    const waitMs = retryWaitsMs[attempt - 1]
    if (waitMs === undefined) {
      log.warn('event dropped', { ...about, advice: 'the bridge sends it again while the object needs it' })
      return 'dropped'
    }
    log.info('delivery failed', { ...about, retryInMs: waitMs })
    const next = { ...queued, attempt: attempt + 1 }
    count(next, 1)
    const cancel = clock.after(waitMs, () => {
      later.delete(next.key)
      ready.set(next.key, next)
      pump()
    })
    later.set(next.key, { queued: next, cancel })
    return 'retried'
  }

  return {
    add,
    pump,
    isNeeded: () => ready.size > 0,
    waiting: () => ready.size + later.size,
    close: async () => {
      closed.abort(new Error('the runner is closed'))
      for (const { queued, cancel } of later.values()) {
        cancel()
        count(queued, -1)
      }
      for (const queued of ready.values()) count(queued, -1)
      later.clear()
      ready.clear()
      await Promise.all(flights)
    },
  }
}

/** An event that waits for a function, ready to be sent. */
interface QueuedEvent {
  /** The operation and the uid of its object. */
  readonly key: string
  readonly id: string
  readonly subject: string
  readonly message: HttpMessage
  readonly bytes: number
  /** Starts at 1. */
  readonly attempt: number
}

type AttemptEnd =
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
const sendOnce = async (
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
