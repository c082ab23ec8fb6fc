import type { Sink } from '../../bridge/sink.ts'
import type { BridgeSeed } from './seed.ts'

/** The current time, on the clock of `Arrival.at`. */
export const nowMs = (): number => performance.timeOrigin + performance.now()

/**
 * The time from kube-apiserver's answer to an object's first event at the sink, in ms; an event that arrives earlier
 * counts as 0.
 */
export const lagsOf = (sink: Sink, answered: ReadonlyMap<string, number>): readonly number[] => {
  const lags = new Map<string, number>()
  for (const { name, at } of sink.arrivals) {
    const from = answered.get(name)
    if (from !== undefined && !lags.has(name)) lags.set(name, Math.max(at - from, 0))
  }
  if (lags.size < answered.size) throw new Error(`${answered.size - lags.size} objects did not arrive`)
  return [...lags.values()]
}

/** Creates objects at a rate, waits until the sink has received all, and returns the time of each answer. */
export const createAndReceive = async (
  seed: BridgeSeed,
  sink: Sink,
  objects: Parameters<BridgeSeed['create']>[0],
  perSecond: number,
): Promise<ReadonlyMap<string, number>> => {
  const answered = new Map<string, number>()
  const expected = sink.arrivals.length + objects.length
  await seed.create(objects, { perSecond, created: name => answered.set(name, nowMs()) })
  await sink.until(() => sink.arrivals.length >= expected)
  return answered
}
