import type { UpdateLimits } from './update-limits.ts'

/** A MachineSet as far as its size is decided by it. */
export interface SizedSet {
  readonly name: string
  /** `spec.replicas` */
  readonly size: number
  /** Its machines, those that are being deleted as well. */
  readonly actual: number
  readonly available: number
  /** The annotation with which it was sized: how many machines were wanted in all, and at most. */
  readonly desired: number | undefined
  readonly most: number | undefined
}

export interface SizeInput {
  /** `spec.replicas` of the deployment. */
  readonly replicas: number
  readonly limits: UpdateLimits
  /** The set of the present template. */
  readonly newest: SizedSet
  /** The others, the oldest first. */
  readonly older: readonly SizedSet[]
}

/** New sizes by the names of the sets; those that stay are not among them. */
export type SetSizes = ReadonlyMap<string, number>

const sum = (sets: readonly SizedSet[], of: 'size' | 'actual' | 'available'): number =>
  sets.reduce((total, set) => total + set[of], 0)

/** The size that the newest set may have already: surge counts machines that are still being deleted. */
export const newestSize = ({ replicas, limits, newest, older }: SizeInput): number => {
  if (newest.size >= replicas) return replicas
  const room = replicas + limits.surge - sum([...older, newest], 'actual')
  return newest.size + Math.max(0, Math.min(room, replicas - newest.size))
}

/** What the older sets give up, unhealthy machines first. */
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

/** The next step of a roll: the newest set grows as far as it may; where it may not, older ones shrink. */
export const rolledSizes = (input: SizeInput): SetSizes => {
  const size = newestSize(input)
  if (size !== input.newest.size) return new Map([[input.newest.name, size]])
  return olderSizes(input)
}

const active = (sets: readonly SizedSet[]) => sets.filter(({ size }) => size > 0)

/**
 * Whether another number of machines is wanted since the sets were sized. Where none has any left, machines of a roll may
 * still be going, and the newest set grows as in a roll.
 */
export const isScaled = ({ replicas, newest, older }: SizeInput): boolean =>
  active([...older, newest]).some(({ desired }) => desired !== undefined && desired !== replicas)

/**
 * The sizes after another number of machines is wanted. In the middle of a roll the newest set takes all that is added,
 * and all sets give up in proportion, the largest first.
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
