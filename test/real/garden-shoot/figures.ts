import { readdir, readFile } from 'node:fs/promises'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { GardenSeed } from '../garden/start-seed.ts'
import { imageRegistry } from '../knative/trellis-images.ts'

type Interval = readonly [from: number, to: number]

/** Returns the length of the union. */
const lengthOf = (intervals: readonly Interval[]): number => {
  let sum = 0
  let last = Number.NEGATIVE_INFINITY
  for (const [from, to] of intervals.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(to - Math.max(from, last), 0)
    last = Math.max(last, to)
  }
  return sum
}

/** From the creation of the object to the end of its last operation. */
const intervalOf = ({ metadata, status }: KubernetesObject): Interval => [
  Date.parse(metadata.creationTimestamp ?? ''),
  Date.parse(Object(status).lastOperation?.lastUpdateTime),
]

/** Returns the memory of processes of this host with this command. Shared pages count in proportion to their users. */
const proportionalBytes = async (isWanted: (command: string) => boolean): Promise<number> => {
  const processes = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const sizes = processes.map(async pid => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const kilobytes = /^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0
    return isWanted(command) ? Number(kilobytes) * 1024 : 0
  })
  // A process may have ended.
  const all = await Promise.allSettled(sizes)
  return all.reduce((sum, size) => sum + (size.status === 'fulfilled' ? size.value : 0), 0)
}

/** Returns a sentence about the time of a Shoot's creation, and the memory of its seed. */
export const figuresOf = async (
  { kubernetes, machine }: GardenSeed,
  namespace: string,
  shoot: KubernetesObject | undefined,
): Promise<string> => {
  const { BackupBucket: _, ...ofShoots } = kinds
  const lists = await Promise.all(
    Object.values(ofShoots).map(({ resource }) =>
      kubernetes.list(resource, resource.namespaced ? { namespace } : {}),
    ),
  )
  const objects = lists.flatMap(({ items }) => items)
  const ours = lengthOf(objects.map(intervalOf).filter(([, to]) => !Number.isNaN(to)))
  const whole = shoot === undefined ? 0 : lengthOf([intervalOf(shoot)])
  const containers = (await machine.containers()).filter(({ pid }) => pid > 0)
  const sizeOf = (isWanted: (image: string) => boolean) =>
    containers.filter(({ image }) => isWanted(image)).reduce((sum, one) => sum + one.proportionalBytes, 0)
  const isOurs = (image: string) => image.startsWith(imageRegistry)
  const gardenlet = await proportionalBytes(command => /^\S*\/gardenlet\0/.test(command))
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  return (
    `gardenlet created the Shoot in ${seconds(whole)}; for ${seconds(ours)} of them, an object waited for Trellis. ` +
    `Memory: ${megabytes(sizeOf(isOurs))} of Trellis, ` +
    `${megabytes(gardenlet + sizeOf(image => !isOurs(image)))} of gardenlet and its components`
  )
}
