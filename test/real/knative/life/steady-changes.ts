import type { KnativeSeed } from './knative-seed.ts'

/** Records that are changed again and again: each is changed as soon as its last change has succeeded. */
export interface SteadyChanges {
  /** The longest time from a request to its `Succeeded` so far, in ms. */
  longestMs(): number
  /** The number of changes that have succeeded. */
  done(): number
  /** Waits until the running changes have succeeded, and returns the values that were requested, by record. */
  end(): Promise<ReadonlyMap<string, readonly string[]>>
}

/** Creates the records, and changes them from then on. */
export const startSteadyChanges = async (
  { records }: Pick<KnativeSeed, 'records'>,
  names: readonly string[],
): Promise<SteadyChanges> => {
  const requested = new Map(names.map(name => [name, [addressOf(0)]]))
  await Promise.all(names.map(name => records.create(name, addressOf(0))))
  const state = { isEnding: false, longestMs: 0, done: 0 }
  const runs = names.map(async name => {
    for (let nth = 1; !state.isEnding; nth++) {
      requested.get(name)?.push(addressOf(nth))
      state.longestMs = Math.max(state.longestMs, await records.change(name, addressOf(nth)))
      state.done += 1
    }
  })
  // A failure is reported by `end`.
  const all = Promise.all(runs)
  all.catch(() => {})
  return {
    longestMs: () => state.longestMs,
    done: () => state.done,
    end: async () => {
      state.isEnding = true
      await all
      return requested
    },
  }
}

const addressOf = (nth: number): string => `10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`

/** A record whose writes differ from its requests. */
export interface Difference {
  readonly record: string
  readonly lost: readonly string[]
  /** Written twice in a row: a step that was killed after its write has been repeated. */
  readonly repeated: readonly string[]
  /** Written after a newer value. */
  readonly late: readonly string[]
}

/** Compares the writes at the cloud with the requested values. Records without a difference are absent. */
export const differencesOf = (
  requested: ReadonlyMap<string, readonly string[]>,
  writesOf: (record: string) => readonly string[],
): readonly Difference[] =>
  [...requested].flatMap(([record, values]) => {
    const writes = writesOf(record)
    const repeated = writes.filter((value, index) => index > 0 && value === writes[index - 1])
    const late = writes.filter(
      (value, index) => index > 0 && values.indexOf(value) < values.indexOf(writes[index - 1] ?? ''),
    )
    const lost = values.filter(value => !writes.includes(value))
    return lost.length + repeated.length + late.length > 0 ? [{ record, lost, repeated, late }] : []
  })
