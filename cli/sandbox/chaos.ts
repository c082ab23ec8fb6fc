import type { CloudFault } from '../../sandbox/providers/provider.ts'
import type { Clock } from '../../shared/clock/clock.ts'

/** The next fault, and its distance from the previous one, in ms. */
export interface ChaosFault<F> {
  readonly afterMs: number
  readonly fault: F
}

/** The interval between two faults, in ms. */
const shortest = 1_000
const longest = 5_000

/** The most faults that wait for their calls; a further one replaces the oldest, because its call may never be made. */
const mostPending = 3

/** Generates endless faults; equal seeds give equal faults. The first ones are immediate, for the first work. */
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
  /** Returns the number of calls to the cloud: without calls, no further fault is injected. */
  readonly calls: () => number
  readonly clock: Clock
  /** Logs each injected fault. */
  readonly print: (text: string) => void
}

/** Injects one fault after the other, until the signal aborts. Never rejects. */
export const runChaos = async (
  { seed, faultBy, calls, clock, print }: ChaosOptions,
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
      print(fault.text)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Generates numbers from 0 to 1 with Tommy Ettinger's generator (public domain). */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
