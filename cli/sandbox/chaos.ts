import type { FaultOrder } from '../../sandbox/aws/faults/fault.ts'
import type { FaultList } from '../../sandbox/aws/faults/fault-list.ts'
import type { Clock } from '../../shared/clock/clock.ts'

/** A fault to come, how long after the one before, in ms, and what it is for people. */
export interface ChaosFault {
  readonly afterMs: number
  readonly order: FaultOrder
  readonly text: string
}

const actions = [
  ...['Create*', 'Delete*', 'Describe*', 'Modify*', 'Allocate*', 'Associate*', 'Attach*', 'Authorize*'],
  ...['ChangeResourceRecordSets', 'ListResourceRecordSets', 'Get*', 'Put*'],
]

const effects: readonly {
  readonly order: Pick<FaultOrder, 'effect' | 'when' | 'lasts'>
  readonly text: string
}[] = [
  {
    order: { effect: { kind: 'throttle' }, lasts: 2_000 },
    text: 'is throttled, and all of its kind for 2 s',
  },
  { order: { effect: { kind: 'error', code: 'InternalError', status: 500 } }, text: 'fails inside of AWS' },
  { order: { effect: { kind: 'drop' }, when: 'before' }, text: 'does not arrive' },
  { order: { effect: { kind: 'drop' }, when: 'after' }, text: 'is done, but its answer is lost' },
  { order: { effect: { kind: 'delay', milliseconds: 1_500 } }, text: 'is answered 1.5 s late' },
]

/** Between two faults, in ms. */
const shortest = 1_000
const longest = 5_000

/** So many faults wait for their calls at most; the oldest makes room, as its call may never come. */
const mostPending = 3

/** Faults without end; the same for the same seed. The first ones are there at once, for the first work to meet. */
export function* chaosFaults(seed: number): Generator<ChaosFault, never> {
  const random = mulberry32(seed)
  const choose = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T
  for (let count = 0; ; count++) {
    const action = choose(actions)
    const { order, text } = choose(effects)
    const pause = Math.round(shortest + random() * (longest - shortest))
    yield {
      afterMs: count < mostPending ? 0 : pause,
      order: { action, ...order },
      text: `the next ${action} ${text}`,
    }
  }
}

export interface ChaosOptions {
  readonly seed: number
  readonly faults: Pick<FaultList, 'add'>
  /** How many calls AWS has had: while there are none no further fault is ordered. */
  readonly calls: () => number
  readonly clock: Clock
  /** Says each fault when it is ordered. */
  readonly tell: (text: string) => void
}

/** Orders one fault after the other, until the signal aborts. Never rejects. */
export const runChaos = async (
  { seed, faults, calls, clock, tell }: ChaosOptions,
  signal: AbortSignal,
): Promise<void> => {
  const waiting: (() => void)[] = []
  let seen = -1
  try {
    for (const { afterMs, order, text } of chaosFaults(seed)) {
      if (afterMs > 0) {
        await clock.sleep(afterMs, signal)
        while (calls() === seen) await clock.sleep(shortest, signal)
      }
      seen = calls()
      if (waiting.length === mostPending) waiting.shift()?.()
      waiting.push(faults.add(order))
      tell(text)
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
