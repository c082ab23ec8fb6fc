import { seeded } from '../seeded.ts'

/** Returns the same bytes in each run, so that ids and choices by ids are the same. */
export const countedBytes = () => {
  let count = 0
  return (length: number): readonly number[] =>
    Array.from({ length }, () => {
      count += 1
      return Math.floor(seeded('bytes', count) * 256)
    })
}
