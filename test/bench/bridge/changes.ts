import { setTimeout as sleep } from 'node:timers/promises'
import { kinds } from '../../../shared/contract/kinds.ts'
import { keyOf } from '../../../shared/kubernetes/kubernetes.ts'
import type { Sink } from '../../bridge/sink.ts'
import { nowMs } from './lags.ts'
import { type BenchObject, completedObjects, request } from './objects.ts'
import { atRate, until } from './pace.ts'
import type { BridgeSeed, MeasuredBridge } from './seed.ts'

/** Objects without pending work; each is changed once. */
export interface ChangeRun {
  /** Makes the changes at a rate, and retries each while the server is away. Resolves when all are made. */
  make(perSecond: number): Promise<void>
  /** The time of the server's answer by the object's name, in ms as of `nowMs`. */
  readonly answered: ReadonlyMap<string, number>
  /** Waits at most `limitMs` until every changed object had an event. Returns the number of objects without one. */
  lost(sinks: readonly Sink[], limitMs: number): Promise<number>
}

/** Stores `count` objects without pending work in the seed, and waits until the bridge knows them. */
export const prepareChanges = async (
  seed: BridgeSeed,
  count: number,
  bridges: readonly MeasuredBridge[],
): Promise<ChangeRun> => {
  const objects = completedObjects('changed', count)
  await seed.store(objects)
  for (const bridge of bridges) {
    await until('the bridge to know the objects', async () => {
      return (await bridge.metric('trellis_bridge_watched_objects')) === count
    })
  }
  const answered = new Map<string, number>()
  const change = async ({ kind, object }: BenchObject) => {
    await insist(() => seed.kubernetes.patch(kinds[kind].resource, keyOf(object), request(0)))
    answered.set(object.metadata.name, nowMs())
  }
  return {
    make: perSecond => atRate(objects, perSecond, change),
    answered,
    lost: async (sinks, limitMs) => {
      const withoutEvent = () => {
        const seen = new Set(sinks.flatMap(({ arrivals }) => arrivals.map(({ name }) => name)))
        return [...answered.keys()].filter(name => !seen.has(name)).length
      }
      const limit = nowMs() + limitMs
      while (withoutEvent() > 0 && nowMs() < limit) await sleep(100)
      return withoutEvent()
    },
  }
}

/** Retries until it succeeds. */
const insist = async (act: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    try {
      await act()
      return
    } catch {
      await sleep(100)
    }
  }
}
