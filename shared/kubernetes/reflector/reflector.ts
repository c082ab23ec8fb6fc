import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { GroupVersionResource, Kubernetes } from '../port.ts'
import { IdleStreamError } from '../transport/end-when-idle.ts'
import { followWatches } from './follow-watches.ts'
import { createKnownObjects, idOf, keyOf } from './known-objects.ts'
import { createListPages } from './list-pages.ts'
import type { ListQueue } from './list-queue.ts'
import { createLoopState } from './loop-state.ts'
import type { ReflectorHandler } from './reflector-handler.ts'
import type { ReflectorParts } from './reflector-parts.ts'
import { createRepairs } from './repairs.ts'
import { isStatus, refusesStream } from './watch-failures.ts'

/**
 * A broken server may make each list useless at once: older than the one before, or forgotten when its watch begins.
 * Milliseconds.
 */
const listLimit = { lists: 5, withinMs: 10_000 } as const

/** Waits before a list until fewer than five began within the last ten seconds. */
const createListLimit = (clock: Clock): ((signal: AbortSignal) => Promise<void>) => {
  let began: readonly Timestamp[] = []
  return async signal => {
    began = began.filter(time => clock.now() - time < listLimit.withinMs)
    const [oldest] = began
    if (oldest !== undefined && began.length >= listLimit.lists)
      await clock.sleep(oldest + listLimit.withinMs - clock.now(), signal)
    began = [...began.slice(1 - listLimit.lists), clock.now()]
  }
}

export interface ReflectorOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly resource: GroupVersionResource
  readonly handler: ReflectorHandler
  readonly clock: Clock
  readonly log: Log
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Maximum objects per page of a list; large objects have smaller pages. Default: 500. */
  readonly pageSize?: number
  /**
   * Reads existing objects one by one as a stream if the server supports it (KEP-3157), and continues with the same
   * stream. Default: lists in pages.
   */
  readonly streamed?: boolean
  /**
   * The most objects. More fail the list or the watch, which is retried: they would fill the memory. Default: no limit.
   */
  readonly mostObjects?: number
  /** Shared by reflectors that must not list at the same time. */
  readonly listQueue?: ListQueue
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

export interface Reflector {
  /** The resource's plural name. */
  readonly resource: string
  /** Lists and watches until the signal aborts, then resolves. Call it once. */
  run(signal: AbortSignal): Promise<void>
  /** Returns true if the first list is complete. */
  synced(): boolean
  /**
   * Time of the loop's last activity: an attempt, a failure or a response. It changes at least about every two minutes,
   * even while the server is unreachable; an older time means that the loop is stuck.
   */
  lastActivity(): Timestamp
  /** The failure that is being retried. Undefined: no failure. */
  failure(): unknown
  /** The number of known objects. */
  size(): number
}

/** Interval of retries for a kind that was never served: its CRD is not installed. */
const absentDelayMs = 30_000

/**
 * Follows one resource while it runs: lists in pages, watches with bookmarks, resumes a broken watch, and lists again
 * when the server has forgotten that version. Continues after every failure.
 */
export const createReflector = (options: ReflectorOptions): Reflector => {
  const { kubernetes, resource, handler, clock, log, namespace, labelSelector, fieldSelector } = options
  const { pageSize = 500, random = Math.random } = options
  const scope = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  }
  const known = createKnownObjects(resource.plural, handler, log, options.mostObjects)
  const loop = createLoopState(clock, random, handler, known.call)
  const repairs = createRepairs(clock, known.unhandled)
  const mayList = createListLimit(clock)
  const { active } = loop
  const readPages = createListPages({ kubernetes, resource, pageSize, queue: options.listQueue, active })
  /** The server has listed the resource. A later 404 comes from a server that has not loaded its kinds yet. */
  let served = false
  /** A paging token expired: the next list reads one page. */
  let unpaged = false
  let streamed = options.streamed ?? false

  const complete = (present: ReadonlySet<string>) => {
    known.complete(present)
    repairs.done()
  }
  const listed = (present: ReadonlySet<string>) => {
    served = true
    complete(present)
  }
  const shared = { kubernetes, resource, scope, clock, log, random }
  const parts: ReflectorParts = { ...shared, known, loop, repairs, mayList, listed }

  /** Returns the version to watch from. */
  const list = async (signal: AbortSignal): Promise<string> => {
    await mayList(signal)
    active()
    const present = new Set<string>()
    const initial = !known.synced()
    const query = { ...scope, signal, unpaged }
    // Only once: a page with all objects may exceed the server's timeout.
    unpaged = false
    const version = await readPages(query, object => {
      present.add(idOf(keyOf(object)))
      known.upsert(object, initial)
    })
    loop.answered()
    if (known.isBehind(version)) return list(signal)
    listed(present)
    return version
  }

  const listFailed = async (error: unknown, signal: AbortSignal) => {
    if (isStatus(error, 404) && !served) {
      loop.restarted('absent', true, error)
      loop.well()
      complete(new Set())
      await clock.sleep(absentDelayMs, signal)
      return
    }
    const expired = isStatus(error, 410)
    if (expired) unpaged = true
    log.debug('listing failed', { resource: resource.plural, namespace, error })
    loop.restarted(expired ? 'expired' : 'failed', true, error)
    await loop.pause(error, signal)
  }

  /** The stream of existing objects failed: reads pages if that may help, or retries. */
  const streamFailed = async (error: unknown, signal: AbortSignal) => {
    if (refusesStream(error) || error instanceof IdleStreamError) streamed = false
    if (!refusesStream(error)) await listFailed(error, signal)
  }

  /** Lists and watches, until a new list is necessary or the list failed. */
  const round = async (signal: AbortSignal) => {
    let version: string | undefined
    try {
      if (!streamed) version = await list(signal)
    } catch (error) {
      if (signal.aborted) return
      return listFailed(error, signal)
    }
    return followWatches(parts, version, error => streamFailed(error, signal), signal)
  }

  return {
    run: async signal => {
      const unlessAborted = (error: unknown) => {
        if (!signal.aborted) throw error
      }
      while (!signal.aborted) await round(signal).catch(unlessAborted)
    },
    resource: resource.plural,
    synced: known.synced,
    lastActivity: loop.lastActivity,
    failure: loop.failure,
    size: () => known.size,
  }
}
