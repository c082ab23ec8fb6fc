import type { CloudFault } from '../../sandbox/providers/provider.ts'
import type { Clock } from '../../shared/clock/clock.ts'

/** A fault to come, and how long after the one before, in ms. */
export interface ChaosFault<F> {
  readonly afterMs: number
  readonly fault: F
}

/** Between two faults, in ms. */
const shortest = 1_000
const longest = 5_000

/** So many faults wait for their calls at most; the oldest makes room, as its call may never come. */
const mostPending = 3

/** Faults without end; the same for the same seed. The first ones are there at once, for the first work to meet. */
export function* chaosFaults<F>(
  seed: number,
  faultBy: (random: () => number) => F,
): Generator<ChaosFault<F>, never> {
  const random = mulberry32(seed)
  for (let count = 0; ; count++) {
    const fault = faultBy(random)
    const pause = Math.round(shortest + random() * (longest - shortest))
    yield { afterMs: count < mostPending ? 0 : pause, fault }
  }
}

export interface ChaosOptions {
  readonly seed: number
  readonly faultBy: (random: () => number) => CloudFault
  /** How many calls the cloud has had: while there are none no further fault is ordered. */
  readonly calls: () => number
  readonly clock: Clock
  /** Says each fault when it is ordered. */
  readonly tell: (text: string) => void
}

/** Orders one fault after the other, until the signal aborts. Never rejects. */
export const runChaos = async (
  { seed, faultBy, calls, clock, tell }: ChaosOptions,
  signal: AbortSignal,
): Promise<void> => {
  const waiting: (() => void)[] = []
  let seen = -1
  try {
    for (const { afterMs, fault } of chaosFaults(seed, faultBy)) {
      if (afterMs > 0) {
        await clock.sleep(afterMs, signal)
        while (calls() === seen) await clock.sleep(shortest, signal)
      }
      seen = calls()
      if (waiting.length === mostPending) waiting.shift()?.()
      waiting.push(fault.order())
      tell(fault.text)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Numbers from 0 to 1, by the generator of Tommy Ettinger (public domain). */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
