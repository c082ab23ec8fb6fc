import type { Clock } from '../../../shared/clock/clock.ts'
import { releaseAtRest } from '../../../shared/memory/release-at-rest.ts'
import type { BridgeEvent } from '../bridge-event.ts'

/**
 * The number of the bridge's events after which a pause of this length begins with a collection of garbage. A finished
 * first list always counts: lists leave 10 MB.
 */
const worthACollection = 500
const quietMs = 10_000

/** Releases the memory of the bridge's process at rest. */
export const createMemoryObserver = (
  clock: Clock,
  release?: () => void,
): { readonly event: (event: BridgeEvent) => void; readonly close: () => void } => {
  const memory = releaseAtRest({
    worthIt: worthACollection,
    restMs: quietMs,
    clock,
    ...(release && { release }),
  })
  return { event: ({ type }) => memory.work(type === 'synced' ? worthACollection : 1), close: memory.stop }
}
