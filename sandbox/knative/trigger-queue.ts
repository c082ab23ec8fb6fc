import type { Clock } from '../../shared/clock/clock.ts'
import { followSignal } from '../../shared/clock/clock.ts'

/** How the dispatcher of a class takes the events of a Trigger from their storage. */
export interface Consumption {
  /** The largest number of deliveries at the same time, including those that wait for a retry; 0: no limit. */
  readonly workers: number
  /** The largest number of events that are taken and not acknowledged. Default: those of the workers. */
  readonly prefetch?: number
  /** It takes this many events at once, as soon as fewer are in flight. Default: each event when it arrives. */
  readonly poll?: number
  /** The storage closes the channel if an event is not acknowledged within this time (ms). Default: never. */
  readonly longestHeldMs?: number
  /** If true, an event is acknowledged only together with all before it. */
  readonly commitsInOrder?: boolean
  /** The fate of the taken events at SIGTERM. `failed`: the dispatcher ends each as a failed delivery. */
  readonly atEnd: 'lost' | 'again' | 'failed'
}

/** The reason of the signal of a delivery whose dispatcher ends. `failed`: the delivery counts as failed. */
export class DispatcherEndedError extends Error {
  override readonly name = 'DispatcherEndedError'
  readonly counts: 'failed' | 'not at all'

  constructor(counts: 'failed' | 'not at all') {
    super('the dispatcher ends')
    this.counts = counts
  }
}

/** The result of a delivery. `exchange missing`: it failed, and its dead letter has no place. */
export type Handled = 'delivered' | 'failed' | 'exchange missing'

/** The events of a Trigger, and its dispatcher. */
export interface TriggerQueue {
  /** Stores an event, and resolves when it is acknowledged or lost: true if it was delivered. */
  put(deliver: (signal: AbortSignal) => Promise<Handled>, signal: AbortSignal): Promise<boolean>
  /** Replaces the dispatcher. SIGKILL: it does nothing more. */
  replace(by: 'SIGTERM' | 'SIGKILL'): void
  /** The storage is away: the dispatcher takes no events, and can acknowledge none. */
  pause(): void
  resume(): void
}

interface StoredEvent {
  readonly deliver: (signal: AbortSignal) => Promise<Handled>
  readonly signal: AbortSignal
  readonly resolve: (isDelivered: boolean) => void
  /** Ends the current delivery; undefined: there is none. */
  end: ((reason: DispatcherEndedError) => void) | undefined
  /** The result of a delivery that is not acknowledged. */
  result: Handled | undefined
  disarm: (() => void) | undefined
}

/**
 * Creates the queue of a Trigger. `closed` is called when the storage closes the channel of the dispatcher. Then the
 * dispatcher takes nothing more until each of its deliveries has ended, and gets again what it could not acknowledge
 * (RabbitMQ: pkg/dispatcher, `finishConsuming`).
 */
export const createTriggerQueue = (
  rules: Consumption,
  clock: Clock,
  closed: (why: string) => void,
): TriggerQueue => {
  const stored: StoredEvent[] = []
  /** Taken and not acknowledged, the oldest first. */
  const held = new Set<StoredEvent>()
  /** The held events that wait for a worker. */
  const buffer: StoredEvent[] = []
  let running = 0
  let isClosing = false
  let isPaused = false
  const workers = rules.workers === 0 ? Number.POSITIVE_INFINITY : rules.workers
  const prefetch = rules.prefetch ?? workers

  const release = (event: StoredEvent) => {
    held.delete(event)
    event.disarm?.()
    event.disarm = undefined
    event.end = undefined
    event.result = undefined
  }

  const acknowledge = (event: StoredEvent, result: Handled) => {
    release(event)
    event.resolve(result === 'delivered')
  }

  const returnHeld = () => {
    const events = [...held]
    buffer.length = 0
    for (const event of events) release(event)
    stored.unshift(...events)
  }

  const close = (why: string) => {
    if (isClosing) return
    isClosing = true
    closed(why)
  }

  const finish = (event: StoredEvent, result: Handled) => {
    event.result = result
    // The channel is closed: the storage learns nothing of it.
    if (isClosing) return
    if (result === 'exchange missing') {
      acknowledge(event, result)
      return close('its dead letter exchange does not exist')
    }
    if (!rules.commitsInOrder) return acknowledge(event, result)
    for (const oldest of [...held]) {
      if (oldest.result === undefined) return
      acknowledge(oldest, oldest.result)
    }
  }

  const run = async (event: StoredEvent, ends?: DispatcherEndedError): Promise<void> => {
    const { signal, abort, release: unfollow } = followSignal(event.signal)
    event.end = abort
    if (ends !== undefined) abort(ends)
    running++
    const result = await event.deliver(signal).catch((): Handled => 'failed')
    unfollow()
    running--
    // Otherwise another dispatcher has the event.
    if (event.end === abort) {
      event.end = undefined
      finish(event, result)
    }
    pump()
  }

  const mayTake = () =>
    !isPaused &&
    !isClosing &&
    stored.length > 0 &&
    (rules.poll === undefined ? held.size < prefetch : running < rules.poll)

  const take = () => {
    for (const event of stored.splice(0, rules.poll ?? 1)) {
      held.add(event)
      buffer.push(event)
      if (rules.longestHeldMs !== undefined)
        event.disarm = clock.after(rules.longestHeldMs, () => {
          close('an event was not acknowledged in time')
          pump()
        })
    }
  }

  const pump = () => {
    while (true) {
      if (isClosing && running === 0 && buffer.length === 0) {
        isClosing = false
        returnHeld()
      }
      const next = running < workers ? buffer.shift() : undefined
      if (next !== undefined) void run(next)
      else if (mayTake()) take()
      else return
    }
  }

  return {
    put: (deliver, signal) => {
      if (signal.aborted) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const event: StoredEvent = {
        deliver,
        signal,
        resolve,
        end: undefined,
        result: undefined,
        disarm: undefined,
      }
      const drop = () => {
        for (const list of [stored, buffer]) {
          const index = list.indexOf(event)
          if (index !== -1) list.splice(index, 1)
        }
        // A running delivery ends by itself.
        if (event.end === undefined) acknowledge(event, 'failed')
      }
      signal.addEventListener('abort', drop, { once: true })
      stored.push(event)
      pump()
      return promise.finally(() => signal.removeEventListener('abort', drop))
    },
    replace: by => {
      const taken = [...held]
      if (by === 'SIGTERM' && rules.atEnd === 'failed' && !isClosing) {
        const ends = new DispatcherEndedError('failed')
        buffer.length = 0
        for (const event of taken) {
          if (event.end !== undefined) event.end(ends)
          else if (event.result === undefined) void run(event, ends)
        }
        return
      }
      isClosing = false
      const ends = new DispatcherEndedError('not at all')
      const endings = taken.map(({ end }) => end)
      if (rules.atEnd !== 'lost') returnHeld()
      else {
        buffer.length = 0
        for (const event of taken) acknowledge(event, 'failed')
      }
      for (const end of endings) end?.(ends)
      pump()
    },
    pause: () => {
      isPaused = true
      isClosing = held.size > 0
    },
    resume: () => {
      isPaused = false
      pump()
    },
  }
}
