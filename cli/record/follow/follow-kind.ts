import { followSignal } from '../../../shared/clock/clock.ts'
import { objectIdOf } from '../../../shared/journal/journal.ts'
import { createReflector, hasStatus, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../../shared/kubernetes/list-all.ts'
import type { Log } from '../../../shared/log/log.ts'
import { type FollowedKind, type FollowOptions, isIdOf } from './followed-kind.ts'

/**
 * Records the objects of a kind until the signal aborts: by a watch, or by lists if the API server refuses to watch.
 * Everything that it cannot see becomes a gap.
 */
export const followKind = async (
  followed: FollowedKind,
  options: FollowOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { kubernetes, clock, recorder, isSelected, pollMs, listQueue } = options
  const { kind, resource, namespace, fieldSelector } = followed
  const where = namespace === undefined ? resource.plural : `${resource.plural} in ${namespace}`
  const watched = followSignal(signal)
  let refused: number | undefined
  /** Since when changes may be missing, and why. */
  let missing: { readonly at: number; readonly why: string } | undefined
  let isListed = false
  let lastHeard = clock.now()

  const lost = (why: string, at: number): void => {
    if (missing !== undefined) return
    missing = { at, why }
    recorder.gap(why, { at })
  }

  const reflector = createReflector({
    kubernetes: {
      list: kubernetes.list.bind(kubernetes),
      watch: async function* (of, query) {
        try {
          yield* kubernetes.watch(of, query)
        } catch (error) {
          if (!hasStatus(error, 401, 403, 405)) throw error
          refused = error.status
          watched.abort()
        }
      },
    },
    resource,
    clock,
    log: silent,
    ...(namespace !== undefined && { namespace }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(listQueue && { listQueue }),
    handler: {
      upsert: object => {
        lastHeard = clock.now()
        const whole = { ...object, kind }
        if (isSelected(whole)) recorder.object(whole)
      },
      deleted: key => {
        lastHeard = clock.now()
        recorder.gone(objectIdOf({ kind, ...key }))
      },
      replaced: keys => {
        recorder.listed(new Set(keys.map(key => objectIdOf({ kind, ...key }))), isIdOf(followed))
        if (missing !== undefined && isListed)
          recorder.gap(missing.why, { at: missing.at, until: clock.now() })
        isListed = true
        options.listed?.(kind)
        missing = undefined
      },
      heard: () => {
        lastHeard = clock.now()
      },
      restarted: ({ reason, relist, error }) => {
        if (reason === 'absent') return lost(`${where}: the API server does not know this kind`, clock.now())
        if (hasStatus(error, 401, 403))
          return lost(`${where}: may not be listed (${error.status})`, isListed ? lastHeard : clock.now())
        if (relist && isListed) lost(`${where}: changes may be missing, because the watch ended`, lastHeard)
        else if (!isListed) lost(`${where}: cannot be listed yet`, clock.now())
      },
    },
  })
  await reflector.run(watched.signal)
  if (refused === undefined || signal.aborted) return
  recorder.gap(
    `${where}: may not be watched (${refused}); they are listed every ${pollMs / 1000} s, so changes in between are missing`,
  )
  await pollKind(followed, options, signal)
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Lists the objects of a kind at an interval until the signal aborts. Consecutive failures become one gap. */
const pollKind = async (
  followed: FollowedKind,
  { kubernetes, clock, recorder, isSelected, pollMs }: FollowOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { kind, resource, namespace, fieldSelector } = followed
  const query = {
    signal,
    ...(namespace !== undefined && { namespace }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  }
  let failing: { readonly at: number; readonly why: string } | undefined
  while (!signal.aborted) {
    // The reflector has just listed.
    await clock.sleep(pollMs, signal).catch(() => {})
    if (signal.aborted) return
    try {
      const present = new Set<string>()
      for (const object of await listAll(kubernetes, resource, query)) {
        const whole = { ...object, kind }
        present.add(objectIdOf({ kind, ...object.metadata }))
        if (isSelected(whole)) recorder.object(whole)
      }
      recorder.listed(present, isIdOf(followed))
      if (failing !== undefined) recorder.gap(failing.why, { at: failing.at, until: clock.now() })
      failing = undefined
    } catch (error) {
      if (signal.aborted || failing !== undefined) continue
      const reason = error instanceof KubernetesError ? ` (${error.status})` : ': no answer'
      failing = { at: clock.now(), why: `${resource.plural}: a list failed${reason}` }
      recorder.gap(failing.why, { at: failing.at })
    }
  }
}
