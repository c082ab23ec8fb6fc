import { createHash } from 'node:crypto'
import type { Timestamp } from '../../../../shared/clock/clock.ts'

/**
 * Returns a function that reports if the remains of dead processes are new. The next process only knows the account and
 * the status of the object. Equal remains lead to the same steps, so following one of them suffices. Remains are equal
 * if they differ only by their start time.
 */
export const statesMet = () => {
  const met = new Set<string>()
  /** `began`: the start time of the first process. */
  return (account: object, status: object, began: Timestamp, now: Timestamp): boolean => {
    const { size } = met
    met.add(comparable([account, status], began, now))
    return met.size > size
  }
}

/** Text for comparison, with times as ages. */
const comparable = (state: unknown, began: Timestamp, now: Timestamp): string => {
  const age = (time: number) => (time < began ? 'before' : `${now - time} ms ago`)
  return JSON.stringify(state, (_, value: unknown) => {
    if (value instanceof Map || value instanceof Set) return [...value]
    // Milliseconds of this century. No other number of the simulator is that large.
    return typeof value === 'number' && value > 1e12 ? age(value) : value
  }).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, text => age(Date.parse(text)))
}

/**
 * Bytes for a simulator. After each `restart` it creates the same ids again. These ids differ from all ids created
 * before the first `restart`.
 */
export const repeatedBytes = () => {
  let part = 0
  let calls = 0
  return {
    // A hash is 32 bytes; an id of 17 letters takes 34 of them.
    bytes: (count: number): readonly number[] => {
      const call = `${part} ${calls++}`
      const hashes = Array.from({ length: Math.ceil(count / 32) }, (_, nth) =>
        createHash('sha256').update(`${call} ${nth}`).digest(),
      )
      return [...Buffer.concat(hashes).subarray(0, count)]
    },
    restart: () => {
      part = 1
      calls = 0
    },
  }
}
