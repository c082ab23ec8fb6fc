import type { KnativeSeed } from '../../real/knative/life/knative-seed.ts'
import type { Figure } from '../figure.ts'

/** The sum of the containers of one name in a namespace. */
export interface Usage {
  readonly containers: number
  readonly residentMb: number
  readonly proportionalMb: number
  readonly cpuSeconds: number
}

/**
 * Returns the usage of all running containers, by namespace, pod and container: `trellis/bridge/bridge`. Generated
 * parts of pod names are absent.
 */
export const usageByContainer = async ({ machine }: KnativeSeed): Promise<ReadonlyMap<string, Usage>> => {
  const all = (await machine.containers()).filter(({ pid }) => pid > 0)
  const groups = Map.groupBy(
    all,
    ({ namespace, pod, container }) =>
      `${namespace}/${pod.replace(/(-\d{5}-deployment)?-[a-z0-9]+-[a-z0-9]{5}$/, '')}/${container}`,
  )
  return new Map(
    [...groups].map(([name, containers]) => {
      const sum = (of: (one: (typeof containers)[number]) => number) =>
        containers.reduce((total, one) => total + of(one), 0)
      return [
        name,
        {
          containers: containers.length,
          residentMb: sum(one => one.residentBytes) / 1e6,
          proportionalMb: sum(one => one.proportionalBytes) / 1e6,
          cpuSeconds: sum(one => one.cpuSeconds),
        },
      ]
    }),
  )
}

/** Returns the memory of each container. */
export const memoryFigures = (usage: ReadonlyMap<string, Usage>, circumstances: string): readonly Figure[] =>
  [...usage]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { containers, residentMb, proportionalMb }]) => ({
      name: `${name}: resident memory of each`,
      value: residentMb / containers,
      unit: 'MB',
      with: `${containers} of them; proportional ${(proportionalMb / containers).toFixed(0)} MB; ${circumstances}`,
    }))

/** Returns the processor time between two readings, longest first, in ms for each of `parts`. */
export const cpuFigures = (
  before: ReadonlyMap<string, Usage>,
  after: ReadonlyMap<string, Usage>,
  parts: number,
  circumstances: string,
): readonly Figure[] =>
  [...after]
    .map(([name, { cpuSeconds }]) => ({
      name: `${name}: processor time`,
      value: (1000 * (cpuSeconds - (before.get(name)?.cpuSeconds ?? 0))) / parts,
      unit: 'ms CPU' as const,
      with: circumstances,
    }))
    .filter(({ value }) => value >= 0.05)
    .toSorted((a, b) => b.value - a.value)
