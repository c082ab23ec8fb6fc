import { endWhenIdle } from '../transport/end-when-idle.ts'
import { idOf, keyOf } from './known-objects.ts'
import type { ReflectorParts } from './reflector-parts.ts'

/** kube-apiserver sends a bookmark about once a minute, so a watch that is silent for 70 to 90 s is dead. */
const idleMs = { least: 70_000, most: 90_000 }
/** The server closes the watch after 5 to 10 minutes (as client-go requests), so that the load is distributed again. */
const watchSeconds = { least: 300, most: 600 }

/**
 * Watches until the stream ends, and returns or throws accordingly. Calls `reached` with each handled version.
 * Without a start version, the stream sends the existing objects first.
 */
export const readWatch = async (
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
