import type { Clock } from '../../../shared/clock/clock.ts'
import { followSignal, formatSeconds } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import {
  eventResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  keyOfId,
  objectEvent,
  refusalAdvice,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import type { DeliveryPath } from '../delivery-path.ts'
import { noticeOf } from './notice.ts'
import { type CountedNotice, createNoticePace, keyOfNotice } from './notice-pace.ts'

/**
 * Writes Kubernetes Events for objects: no function claims them, their event cannot be sent, their steps fail or
 * succeed again. `kubectl describe` shows them.
 */
export interface EventRecorder {
  event(event: BridgeEvent): void
  /** Drops unwritten Events. */
  close(): void
}

const component = 'trellis-bridge'
/** Events are written one after the other; the queue holds at most this many objects. */
const mostWaiting = 200
const writeLimitMs = 10_000

/**
 * Writes in the background, so a slow or refusing API server delays nothing. Like client-go's recorder, writes one
 * Event for each object, reason and message, and updates its count and time. The name of the Event is derived from
 * these three, so another process continues the count.
 */
export const createEventRecorder = (options: {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'create' | 'patch'>
  readonly clock: Clock
  readonly log: Log
  /** Every bridge sees the steps of objects, and only the one that leads reports them. Default: it leads. */
  readonly leading?: () => boolean
  /** Explains why no function claims objects. */
  readonly deliveryPath?: DeliveryPath | undefined
}): EventRecorder => {
  const { kubernetes, clock, log, leading = () => true, deliveryPath } = options
  const waiting = new Map<string, CountedNotice>()
  const stop = new AbortController()
  let isWriting = false
  let hasFailed = false

  const pace = createNoticePace(clock, counted => {
    const key = keyOfNotice(counted.notice)
    const before = waiting.get(key)
    if (before === undefined && waiting.size >= mostWaiting) return false
    // The newest notice of an object is written last.
    waiting.delete(key)
    waiting.set(key, { ...counted, times: counted.times + (before?.times ?? 0) })
    void writeAll()
    return true
  })

  const write = async ({ notice, times, at }: CountedNotice, signal: AbortSignal): Promise<void> => {
    const fresh = eventOf(notice, times, formatSeconds(at))
    const { name, namespace } = fresh.metadata
    const key = { name, ...(namespace === undefined ? {} : { namespace }) }
    try {
      await kubernetes.create(eventResource, fresh, { signal })
    } catch (error) {
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
      const present = await kubernetes.get(eventResource, key, { signal })
      // The Event has expired. The next notice creates it again.
      if (present === undefined) return
      const { lastTimestamp, message } = fresh
      const count = typeof present.count === 'number' ? present.count + times : times
      await kubernetes.patch(eventResource, key, { count, lastTimestamp, message }, { signal })
    }
  }

  const writeAll = async (): Promise<void> => {
    if (isWriting) return
    isWriting = true
    for (let next = first(waiting); next !== undefined && !stop.signal.aborted; next = first(waiting)) {
      waiting.delete(keyOfNotice(next.notice))
      const limit = followSignal(stop.signal)
      const disarm = clock.after(writeLimitMs, () => limit.abort(new Error('no answer in 10 s')))
      try {
        await write(next, limit.signal)
        hasFailed = false
      } catch (error) {
        pace.failed(next.notice)
        if (!hasFailed && !stop.signal.aborted)
          log.warn('cannot write a Kubernetes Event', { error, advice: refusalAdvice(error) })
        hasFailed = true
      } finally {
        disarm()
        limit.release()
      }
    }
    isWriting = false
  }

  return {
    event: event => {
      // Only step notices are frequent.
      const isStep = event.type === 'ended'
      // Every replica sees them.
      const isOfLeader = isStep || (event.type === 'later' && event.why === 'paused')
      const notice =
        stop.signal.aborted || (isOfLeader && !leading())
          ? undefined
          : noticeOf(event, deliveryPath?.brokenFor)
      if (notice !== undefined) pace.add(notice, isStep)
    },
    close: () => {
      stop.abort(new Error('the bridge is shutting down'))
      pace.close()
    },
  }
}

const first = (waiting: ReadonlyMap<string, CountedNotice>): CountedNotice | undefined =>
  waiting.values().next().value

const eventOf = (notice: CountedNotice['notice'], count: number, at: string): KubernetesObject => {
  const { object, type, reason, message, topic = message } = notice
  const { kind, uid } = object
  const { name, namespace } = keyOfId(object.object)
  const { group, version } = kinds[kind].resource
  return objectEvent({
    about: { apiVersion: `${group}/${version}`, kind, name, namespace, uid },
    type,
    reason,
    message,
    topic,
    component,
    at,
    count,
  })
}
