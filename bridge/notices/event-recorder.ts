import { createHash } from 'node:crypto'
import type { CoreV1Event } from '@kubernetes/client-node'
import type { Clock, Timestamp } from '../../shared/clock/clock.ts'
import { formatSeconds } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  keyOfId,
  refusalAdvice,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { type Notice, noticeOf } from './notice.ts'

/**
 * Leaves Kubernetes Events at objects: that nobody claims them, that no event goes out for them, that their steps fail and that
 * they succeed again. `kubectl describe` shows them.
 */
export interface EventRecorder {
  observe(event: BridgeEvent): void
  /** Drops what is not written yet. */
  close(): void
}

export const eventResource: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'events',
  namespaced: true,
}

const component = 'trellis-bridge'
/** One is written after the other, and of more than so many objects at a time nobody reads. */
const mostWaiting = 200
const writeLimitMs = 10_000
/** Of the same thing at the same object once in so many ms; what happens in between is counted with the next one. */
const quietMs = 300_000
/** Of more objects nothing is remembered: they are announced anew. */
const mostRemembered = 5_000
/** Of 253 characters, what the hash leaves. */
const longestName = 236

/**
 * Writes in the background: an API server that refuses or is slow delays nothing. One Event for each object and
 * reason, whose count and time go up, as client-go's recorder does; its name follows from the object, so that another process goes
 * on counting.
 */
export const createEventRecorder = (options: {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'create' | 'patch'>
  readonly clock: Clock
  readonly log: Log
}): EventRecorder => {
  const { kubernetes, clock, log } = options
  const waiting = new Map<string, CountedNotice>()
  /** When it was announced last, and how often it has happened since. */
  const announced = new Map<string, { readonly at: Timestamp; skipped: number }>()
  const stop = new AbortController()
  let isWriting = false
  let hasFailed = false

  const write = async ({ notice, times }: CountedNotice, signal: AbortSignal): Promise<void> => {
    const fresh = eventOf(notice, formatSeconds(clock.now()))
    const { name, namespace } = fresh.metadata
    const key = { name, ...(namespace === undefined ? {} : { namespace }) }
    try {
      await kubernetes.create(eventResource, fresh, { signal })
    } catch (error) {
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
      const present = await kubernetes.get(eventResource, key, { signal })
      // It has run out meanwhile: the next one makes it anew.
      if (present === undefined) return
      const { count, lastTimestamp, message } = fresh
      const counted = typeof present.count === 'number' ? present.count + times : count
      await kubernetes.patch(eventResource, key, { count: counted, lastTimestamp, message }, { signal })
    }
  }

  const writeAll = async (): Promise<void> => {
    if (isWriting) return
    isWriting = true
    for (let next = first(waiting); next !== undefined && !stop.signal.aborted; next = first(waiting)) {
      waiting.delete(keyOfNotice(next.notice))
      const limit = new AbortController()
      const disarm = clock.after(writeLimitMs, () => limit.abort(new Error('no answer in 10 s')))
      try {
        await write(next, AbortSignal.any([stop.signal, limit.signal]))
        hasFailed = false
      } catch (error) {
        if (!hasFailed && !stop.signal.aborted)
          log.warn('a Kubernetes Event cannot be written', { error, advice: refusalAdvice(error) })
        hasFailed = true
      } finally {
        disarm()
      }
    }
    isWriting = false
  }

  /** How often it has happened that is to be announced now; 0: not now. */
  const timesToTell = (key: string, { type }: BridgeEvent): number => {
    // These come seldom by themselves.
    if (type !== 'ended') return 1
    const now = clock.now()
    const before = announced.get(key)
    if (before !== undefined && now - before.at < quietMs) {
      before.skipped++
      return 0
    }
    announced.delete(key)
    announced.set(key, { at: now, skipped: 0 })
    for (const oldest of announced.keys()) {
      if (announced.size <= mostRemembered) break
      announced.delete(oldest)
    }
    return 1 + (before?.skipped ?? 0)
  }

  return {
    observe: event => {
      const notice = stop.signal.aborted ? undefined : noticeOf(event)
      if (notice === undefined) return
      const key = keyOfNotice(notice)
      // What there is no room for counts as not announced.
      if (waiting.size >= mostWaiting && !waiting.has(key)) return
      const times = timesToTell(key, event)
      if (times === 0) return
      waiting.set(key, { notice, times: times + (waiting.get(key)?.times ?? 0) })
      void writeAll()
    },
    close: () => stop.abort(new Error('the bridge is shutting down')),
  }
}

/** What is to be told, and how often it has happened. */
interface CountedNotice {
  readonly notice: Notice
  readonly times: number
}

const keyOfNotice = ({ object, reason }: Notice): string => `${object.uid} ${reason}`

const first = (waiting: ReadonlyMap<string, CountedNotice>): CountedNotice | undefined =>
  waiting.values().next().value

/** As client-go's recorder makes them; those of an object without namespace are in `default`. */
const eventOf = (
  { object, apiVersion, type, reason, message }: Notice,
  now: string,
): Rendered<CoreV1Event> => {
  const { kind, uid } = object
  const { name, namespace } = keyOfId(object.object)
  const hash = createHash('sha256').update(`${uid} ${reason}`).digest('hex').slice(0, 16)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${startOf(name)}.${hash}`, namespace: namespace ?? 'default' },
    involvedObject: {
      apiVersion,
      kind,
      name,
      uid,
      ...(kinds[kind].resource.namespaced ? { namespace } : {}),
    },
    type,
    reason,
    message,
    source: { component },
    reportingComponent: component,
    reportingInstance: '',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  }
}

/** As much of a name as there is room for; a part of a name ends with a letter or a digit. */
const startOf = (name: string): string => name.slice(0, longestName).replace(/[^a-z0-9]{1,63}$/, '')
