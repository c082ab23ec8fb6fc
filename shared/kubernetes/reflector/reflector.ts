import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { type GroupVersionResource, type Kubernetes, KubernetesError } from '../port.ts'
import { startDeadline } from '../transport/deadline.ts'
import { endWhenIdle, IdleStreamError } from '../transport/end-when-idle.ts'
import { createKnownObjects, idOf, keyOf } from './known-objects.ts'
import { createListLimit } from './list-limit.ts'
import { createListPages } from './list-pages.ts'
import type { ListQueue } from './list-queue.ts'
import type { ReflectorHandler, RestartReason } from './reflector-handler.ts'
import { createRepairs } from './repairs.ts'
import { isStatus, needsRelist, refusesStream, UnhandledError } from './watch-failures.ts'

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

const firstDelayMs = 500
const longestDelayMs = 10_000
/** Interval of retries for a kind that was never served: its CRD is not installed. */
const absentDelayMs = 30_000
/** kube-apiserver sends a bookmark about once a minute, so a watch that is silent for 70 to 90 s is dead. */
const idleMs = { least: 70_000, most: 90_000 }
/**
 * The server closes the watch after 5 to 10 minutes (as client-go requests), so that the load is distributed again.
 */
const watchSeconds = { least: 300, most: 600 }
/** A watch that ends earlier without any event counts as a failure. */
const shortestWatchMs = 1_000

/** Timeout of the question for the server's version. */
const versionMs = 30_000

const reasonOf = (error: unknown): RestartReason => {
  if (error instanceof IdleStreamError) return 'idle'
  if (error instanceof UnhandledError) return 'unhandled'
  return isStatus(error, 410) ? 'expired' : 'failed'
}

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
  let synced = false
  /** The server has listed the resource. A later 404 comes from a server that has not loaded its kinds yet. */
  let served = false
  const known = createKnownObjects(resource.plural, handler, log, options.mostObjects)
  let failures = 0
  let failure: unknown
  let lastActivity = clock.now()
  /** A paging token expired: the next list reads one page. */
  let unpaged = false
  /** The version of the last list, event or bookmark. */
  let lastVersion: string | undefined
  let streamed = options.streamed ?? false
  const mayList = createListLimit(clock)
  const repairs = createRepairs(clock, known.unhandled)
  const pages = createListPages({
    kubernetes,
    resource,
    pageSize,
    queue: options.listQueue,
    active: () => active(),
  })

  const between = ({ least, most }: { least: number; most: number }) => least + random() * (most - least)
  const active = () => {
    lastActivity = clock.now()
  }
  const well = () => {
    failures = 0
    answered()
  }
  const answered = () => {
    if (failure === undefined) return
    failure = undefined
    known.call('recovered', undefined, () => handler.recovered?.())
  }

  const heard = () => {
    if (handler.heard) known.call('heard', undefined, () => handler.heard?.())
  }

  /**
   * Returns true if a list is older than the last known version: etcd was restored from a backup. It may have given a
   * version twice since, so no object counts as unchanged in the next list.
   */
  const isBehind = (version: string): boolean => {
    const behind = Number(version) < Number(lastVersion)
    lastVersion = version
    if (behind) known.forgetVersions()
    return behind
  }

  /** Returns the version to watch from. */
  const list = async (signal: AbortSignal): Promise<string> => {
    await mayList(signal)
    active()
    const present = new Set<string>()
    const initial = !synced
    const query = { ...scope, signal, unpaged }
    // Only once: a page with all objects may exceed the server's timeout.
    unpaged = false
    const version = await pages.read(query, object => {
      present.add(idOf(keyOf(object)))
      known.upsert(object, initial)
    })
    answered()
    if (isBehind(version)) return list(signal)
    served = true
    complete(present)
    return version
  }

  const complete = (present: ReadonlySet<string>) => {
    synced = true
    known.complete(present)
    repairs.done()
  }

  /**
   * Watches until the stream ends, and returns or throws accordingly. Calls `reached` with each handled version.
   * Without a start version, the stream sends the existing objects first.
   */
  const watch = async (from: string | undefined, reached: (version: string) => void, signal: AbortSignal) => {
    let present = from === undefined ? new Set<string>() : undefined
    const initial = !synced
    const repair = repairs.begin(signal)
    if (present === undefined) repair.checkNow()
    await endWhenIdle(
      ended =>
        kubernetes.watch(resource, {
          ...scope,
          signal: ended,
          ...(from === undefined ? { sendInitialEvents: true } : { resourceVersion: from }),
          allowWatchBookmarks: true,
          timeoutSeconds: Math.round(between(watchSeconds)),
        }),
      event => {
        active()
        if (event.type === 'bookmark') {
          if (present !== undefined) {
            if (!event.initialEventsEnd) return
            if (isBehind(event.resourceVersion)) throw new Error('the server returned to an earlier version')
            served = true
            complete(present)
            present = undefined
            repair.checkNow()
          }
          well()
          heard()
          return reached(event.resourceVersion)
        }
        if (event.type === 'deleted') known.remove(event.object)
        else known.upsert(event.object, present !== undefined && initial)
        if (present !== undefined) {
          const id = idOf(keyOf(event.object))
          if (event.type === 'deleted') present.delete(id)
          else present.add(id)
          return
        }
        well()
        heard()
        if (event.object.metadata.resourceVersion) reached(event.object.metadata.resourceVersion)
        repair.checkNow()
      },
      { clock, idleMs: between(idleMs), signal: repair.signal },
    ).finally(repair.end)
    if (present !== undefined) throw new Error('the watch ended before it had sent the existing objects')
  }

  /**
   * Returns true if the server has not reached the version of a silent watch: etcd was restored from a backup, and the
   * server sends nothing until then.
   */
  const isTooEarly = async (version: string, signal: AbortSignal): Promise<boolean> => {
    active()
    const deadline = startDeadline(clock, versionMs, `list ${resource.plural}`, signal)
    try {
      const page = await kubernetes.list(resource, { ...scope, limit: 1, signal: deadline.signal })
      return Number(page.resourceVersion) < Number(version)
    } catch (error) {
      if (signal.aborted) throw error
      // The next watch reports the failure.
      return false
    } finally {
      deadline.release()
    }
  }

  const restarted = (reason: RestartReason, relist: boolean, error?: unknown) => {
    active()
    const about = error === undefined ? { reason, relist } : { reason, relist, error }
    known.call('restarted', undefined, () => handler.restarted?.(about))
  }

  const pause = async (signal: AbortSignal, error: unknown) => {
    failure = error
    const asked = error instanceof KubernetesError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    const backoff = Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
    failures++
    await clock.sleep(Math.max(Math.min(asked, longestDelayMs), backoff * (0.5 + random() / 2)), signal)
  }

  const listFailed = async (error: unknown, signal: AbortSignal) => {
    if (isStatus(error, 404) && !served) {
      restarted('absent', true, error)
      well()
      complete(new Set())
      await clock.sleep(absentDelayMs, signal)
      return
    }
    const expired = isStatus(error, 410)
    if (expired) unpaged = true
    log.debug('listing failed', { resource: resource.plural, namespace, error })
    restarted(expired ? 'expired' : 'failed', true, error)
    await pause(signal, error)
  }

  /** The stream of existing objects failed: reads pages if that may help, or retries. */
  const streamFailed = async (error: unknown, signal: AbortSignal) => {
    if (refusesStream(error) || error instanceof IdleStreamError) streamed = false
    if (!refusesStream(error)) await listFailed(error, signal)
  }

  const follow = async (from: string | undefined, signal: AbortSignal) => {
    let version = from
    for (;;) {
      const began = clock.now()
      const versionBefore = version
      active()
      try {
        if (version === undefined) await mayList(signal)
        await watch(
          version,
          reached => {
            version = reached
            lastVersion = reached
          },
          signal,
        )
        restarted('closed', false)
        if (version === versionBefore && clock.now() - began < shortestWatchMs) {
          await pause(signal, new Error('the server closed the watch immediately'))
        } else {
          well()
        }
      } catch (error) {
        if (signal.aborted) throw error
        if (version === undefined) return streamFailed(error, signal)
        const idle = error instanceof IdleStreamError
        const relist = needsRelist(error) || (idle && (await isTooEarly(version, signal)))
        log.debug('watch ended with an error', { resource: resource.plural, namespace, relist, error })
        restarted(reasonOf(error), relist, error)
        if (error instanceof UnhandledError) return
        // The first relist is immediate. After an unsuccessful one, the next waits like any other failure.
        if (relist && failures === 0) failures++
        else if (!idle) await pause(signal, error)
        if (relist) return
      }
    }
  }

  return {
    run: async signal => {
      const unlessAborted = (error: unknown) => {
        if (!signal.aborted) throw error
      }
      while (!signal.aborted) {
        let version: string | undefined
        if (!streamed) {
          try {
            version = await list(signal)
          } catch (error) {
            if (signal.aborted) return
            await listFailed(error, signal).catch(unlessAborted)
            continue
          }
        }
        await follow(version, signal).catch(unlessAborted)
      }
    },
    resource: resource.plural,
    synced: () => synced,
    lastActivity: () => lastActivity,
    failure: () => failure,
    size: () => known.size,
  }
}
