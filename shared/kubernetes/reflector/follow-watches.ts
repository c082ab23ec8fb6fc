import { startDeadline } from '../transport/deadline.ts'
import { endWhenIdle, IdleStreamError } from '../transport/end-when-idle.ts'
import { idOf, keyOf } from './known-objects.ts'
import type { RestartReason } from './reflector-handler.ts'
import type { ReflectorParts } from './reflector-parts.ts'
import { isStatus, needsRelist, UnhandledError } from './watch-failures.ts'

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
 * Watches from a version, again and again, and resolves when a new list is necessary. Without a version, the first
 * stream sends the existing objects; `streamFailed` handles its failure.
 */
export const followWatches = async (
  parts: ReflectorParts,
  from: string | undefined,
  streamFailed: (error: unknown) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const { resource, scope, clock, log, known, loop } = parts
  let version = from
  const reached = (handled: string) => {
    version = handled
    known.reached(handled)
  }
  for (;;) {
    const began = clock.now()
    const versionBefore = version
    loop.active()
    try {
      if (version === undefined) await parts.mayList(signal)
      await readWatch(parts, version, reached, signal)
      loop.restarted('closed', false)
      if (version === versionBefore && clock.now() - began < shortestWatchMs)
        await loop.pause(new Error('the server closed the watch immediately'), signal)
      else loop.well()
    } catch (error) {
      if (signal.aborted) throw error
      if (version === undefined) return streamFailed(error)
      const idle = error instanceof IdleStreamError
      const relist = needsRelist(error) || (idle && (await isTooEarly(parts, version, signal)))
      log.debug('watch ended with an error', {
        resource: resource.plural,
        namespace: scope.namespace,
        relist,
        error,
      })
      loop.restarted(reasonOf(error), relist, error)
      if (error instanceof UnhandledError) return
      // The first relist is immediate. After an unsuccessful one, the next waits like any other failure.
      if (!(relist && loop.isFirstFailure()) && !idle) await loop.pause(error, signal)
      if (relist) return
    }
  }
}

/**
 * Returns true if the server has not reached the version of a silent watch: etcd was restored from a backup, and the
 * server sends nothing until then.
 */
const isTooEarly = async (
  { kubernetes, resource, scope, clock, loop }: ReflectorParts,
  version: string,
  signal: AbortSignal,
): Promise<boolean> => {
  loop.active()
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

/** kube-apiserver sends a bookmark about once a minute, so a watch that is silent for 70 to 90 s is dead. */
const idleMs = { least: 70_000, most: 90_000 }
/** The server closes the watch after 5 to 10 minutes (as client-go requests), so that the load is distributed again. */
const watchSeconds = { least: 300, most: 600 }

/**
 * Watches until the stream ends, and returns or throws accordingly. Calls `reached` with each handled version.
 * Without a start version, the stream sends the existing objects first.
 */
const readWatch = async (
  { kubernetes, resource, scope, clock, random, known, loop, repairs, listed }: ReflectorParts,
  from: string | undefined,
  reached: (version: string) => void,
  signal: AbortSignal,
): Promise<void> => {
  const between = ({ least, most }: { least: number; most: number }) => least + random() * (most - least)
  /** Ids of the existing objects, until the stream has sent all. */
  let present = from === undefined ? new Set<string>() : undefined
  const initial = !known.synced()
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
      loop.active()
      if (event.type === 'bookmark') {
        if (present !== undefined) {
          if (!event.initialEventsEnd) return
          if (known.isBehind(event.resourceVersion))
            throw new Error('the server returned to an earlier version')
          listed(present)
          present = undefined
          repair.checkNow()
        }
        loop.well()
        loop.heard()
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
      loop.well()
      loop.heard()
      if (event.object.metadata.resourceVersion) reached(event.object.metadata.resourceVersion)
      repair.checkNow()
    },
    { clock, idleMs: between(idleMs), signal: repair.signal },
  ).finally(repair.end)
  if (present !== undefined) throw new Error('the watch ended before it had sent the existing objects')
}
