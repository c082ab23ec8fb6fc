import type { MachineClassContent } from '../../../../../shared/worker/worker.ts'
import { byName } from '../machine-class/by-name.ts'
import type { DataVolume } from '../request.ts'
import { countAt, textAt } from './field.ts'

/**
 * Returns the index of a data volume's device in the `blockDevices` of a class, or undefined if it has none. A class
 * contains no names but has its devices in order. If it has as many devices as the pool has volumes, they match by
 * position, otherwise by size.
 */
export const deviceIndexOf = (
  volumes: readonly DataVolume[],
  name: string,
  { providerSpec }: Pick<MachineClassContent, 'providerSpec'>,
): number | undefined => {
  const sorted = volumes.toSorted(byName)
  const position = sorted.findIndex(volume => volume.name === name)
  const sizes = sizesIn(providerSpec)
  if (sizes.length === sorted.length) return position === -1 ? undefined : position + 1
  const device = pairs(sorted.map(sizeOf), sizes).get(position)
  return device === undefined ? undefined : device + 1
}

/** Returns the number of devices of a class that match no volume of the pool. */
export const surplusDevices = (
  volumes: readonly DataVolume[],
  { providerSpec }: Pick<MachineClassContent, 'providerSpec'>,
): number => {
  const sizes = sizesIn(providerSpec)
  if (sizes.length === volumes.length) return 0
  return sizes.length - pairs(volumes.toSorted(byName).map(sizeOf), sizes).size
}

/** Returns the sizes of the devices after the root device. */
const sizesIn = (providerSpec: unknown): readonly (string | undefined)[] =>
  Array.from({ length: Math.max(0, countAt(providerSpec, ['blockDevices']) - 1) }, (_, index) =>
    textAt(providerSpec, ['blockDevices', index + 1, 'ebs', 'volumeSize']),
  )

const sizeOf = ({ size }: DataVolume): string | undefined => /^\d+/.exec(size)?.[0]

/** Returns a longest common subsequence: positions in the second list by positions in the first. */
const pairs = (
  ones: readonly (string | undefined)[],
  others: readonly (string | undefined)[],
): ReadonlyMap<number, number> => {
  // The number of pairs in the remainders of both lists, from each position on.
  const counts: number[][] = [...ones, undefined].map(() => [...others, undefined].map(() => 0))
  const countOf = (one: number, other: number) => counts[one]?.[other] ?? 0
  for (let one = ones.length - 1; one >= 0; one--) {
    for (let other = others.length - 1; other >= 0; other--) {
      const row = counts[one] ?? []
      row[other] =
        ones[one] === others[other]
          ? countOf(one + 1, other + 1) + 1
          : Math.max(countOf(one + 1, other), countOf(one, other + 1))
    }
  }
  const found = new Map<number, number>()
  for (let one = 0, other = 0; one < ones.length && other < others.length; ) {
    if (ones[one] === others[other]) found.set(one++, other++)
    else if (countOf(one + 1, other) >= countOf(one, other + 1)) one++
    else other++
  }
  return found
}
