/** A signal of one's own that also aborts when another one does. */
export interface FollowingSignal {
  readonly signal: AbortSignal
  abort(reason: Error): void
  /** Follows no longer. To be called when whatever the signal is for has ended. */
  release(): void
}

/**
 * Begins a signal that aborts with its parent, and with the parent's reason.
 *
 * For what is done often, instead of `AbortSignal.any`: as long as somebody listens to a composed signal Node keeps it,
 * and all that the listener knows, for the life of the process (`gcPersistentSignals`, Node 24), and whoever is given a
 * signal may leave a listener at it. This one is gone with those who know it.
 */
export const followSignal = (parent: AbortSignal): FollowingSignal => {
  const controller = new AbortController()
  const follow = () => controller.abort(parent.reason)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    abort: reason => controller.abort(reason),
    release: () => parent.removeEventListener('abort', follow),
  }
}
