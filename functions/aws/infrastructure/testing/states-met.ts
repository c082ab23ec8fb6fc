import { createHash } from 'node:crypto'
import type { Timestamp } from '../../../../shared/clock/clock.ts'

/**
 * Says of what dead processes have left whether it is new. All that the next process can know is the account and the
 * status of the object: from two that are equal it goes the same way, so one of them is enough to follow. Equal are
 * those that differ only by when it all began.
 */
export const statesMet = () => {
  const met = new Set<string>()
  /** `began`: when the first of the processes did. */
  return (account: object, status: object, began: Timestamp, now: Timestamp): boolean => {
    const { size } = met
    met.add(comparable([account, status], began, now))
    return met.size > size
  }
}

/** As text, times by how long ago they were. */
const comparable = (state: unknown, began: Timestamp, now: Timestamp): string => {
  const age = (time: number) => (time < began ? 'before' : `${now - time} ms ago`)
  return JSON.stringify(state, (_, value: unknown) => {
    if (value instanceof Map || value instanceof Set) return [...value]
    // Milliseconds of this century, and no other number of the simulator.
    return typeof value === 'number' && value > 1e12 ? age(value) : value
  }).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, text => age(Date.parse(text)))
}

/** Bytes for a simulator that makes the same ids again after each `restart`, and none that it made before the first. */
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
