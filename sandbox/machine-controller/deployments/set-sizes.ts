import type { UpdateLimits } from './update-limits.ts'

/** The fields of a MachineSet that determine its size. */
export interface SizedSet {
  readonly name: string
  /** `spec.replicas` */
  readonly size: number
  /** Number of its machines, including those in deletion. */
  readonly actual: number
  readonly available: number
  /** The annotations from the last sizing: the total number of desired machines, and the maximum. */
  readonly desired: number | undefined
  readonly most: number | undefined
}

export interface SizeInput {
  /** `spec.replicas` of the deployment. */
  readonly replicas: number
  readonly limits: UpdateLimits
  /** The set of the current template. */
  readonly newest: SizedSet
  /** The other sets, oldest first. */
  readonly older: readonly SizedSet[]
}

/** New sizes by set name. Unchanged sets are omitted. */
export type SetSizes = ReadonlyMap<string, number>

const sum = (sets: readonly SizedSet[], of: 'size' | 'actual' | 'available'): number =>
  sets.reduce((total, set) => total + set[of], 0)

/** Returns the size that the newest set may have now. Machines in deletion count as surge. */
export const newestSize = ({ replicas, limits, newest, older }: SizeInput): number => {
  if (newest.size >= replicas) return replicas
  const room = replicas + limits.surge - sum([...older, newest], 'actual')
  return newest.size + Math.max(0, Math.min(room, replicas - newest.size))
}

/** Returns the sizes of the older sets after scaling down, unhealthy machines first. */
const olderSizes = ({ replicas, limits, newest, older }: SizeInput): SetSizes => {
  const sizes = new Map<string, number>()
  const least = replicas - limits.unavailable
  const missing = newest.size - newest.available
  let mayGo = sum(older, 'size') + newest.size - least - missing
  if (mayGo <= 0) return sizes
  const sizeOf = (set: SizedSet) => sizes.get(set.name) ?? set.size
  for (const set of older) {
    const count = Math.min(mayGo, Math.max(0, set.size - set.available))
    if (count <= 0) continue
    sizes.set(set.name, set.size - count)
    mayGo -= count
  }
  let spare = sum([...older, newest], 'available') - least
  for (const set of older) {
    const count = Math.min(spare, sizeOf(set))
    if (count <= 0) continue
    sizes.set(set.name, sizeOf(set) - count)
    spare -= count
  }
  return sizes
}

/**
 * Returns the next step of a rolling update: the newest set grows as far as the limits allow; if it cannot, older sets
 * shrink.
 */
export const rolledSizes = (input: SizeInput): SetSizes => {
  const size = newestSize(input)
  if (size !== input.newest.size) return new Map([[input.newest.name, size]])
  return olderSizes(input)
}

const active = (sets: readonly SizedSet[]) => sets.filter(({ size }) => size > 0)

/**
 * Returns true if the desired number of machines changed since the last sizing. If no set has machines left, those of a
 * rolling update may still be in deletion, and the newest set grows as in a rolling update.
 */
export const isScaled = ({ replicas, newest, older }: SizeInput): boolean =>
  active([...older, newest]).some(({ desired }) => desired !== undefined && desired !== replicas)

/**
 * Returns the sizes for another desired number of machines. During a rolling update the newest set gets all additional
 * machines, and all sets shrink in proportion, the largest first.
 */
export const scaledSizes = ({ replicas, limits, newest, older }: SizeInput): SetSizes => {
  const sets = active([...older, newest])
  const [only = newest] = sets
  if (sets.length <= 1) return new Map([[only.name, replicas]])
  if (newest.size === replicas && newest.available === replicas)
    return new Map(active(older).map(({ name }) => [name, 0]))
  const most = replicas === 0 ? 0 : replicas + limits.surge
  const change = most - sum(sets, 'size')
  if (change >= 0) return new Map([[newest.name, newest.size + change]])
  const largest = sets.toSorted((a, b) => b.size - a.size)
  let left = change
  const sizes = new Map<string, number>()
  for (const set of largest) {
    const fair = replicas === 0 ? 0 : Math.round((set.size * most) / (set.most ?? sum(sets, 'size')))
    const part = Math.max(left, Math.min(0, fair - set.size))
    sizes.set(set.name, set.size + part)
    left -= part
  }
  const [first] = largest
  if (first !== undefined && left !== 0)
    sizes.set(first.name, Math.max(0, (sizes.get(first.name) ?? first.size) + left))
  return sizes
}
