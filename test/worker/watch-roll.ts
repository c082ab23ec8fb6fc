import type { WorkerSeed } from './worker-seed.ts'

/** The most machines and the fewest available ones that a deployment had at any moment. */
export interface SeenRoll {
  readonly replicas: number
  /** Includes machines in deletion until they are gone. */
  readonly most: number
  readonly leastAvailable: number
}

/** Counts the machines of a deployment after every change of an object, until `end`. */
export const watchRoll = (seed: WorkerSeed, deployment: string) => {
  let most = 0
  let leastAvailable = Number.POSITIVE_INFINITY
  const count = () => {
    const own = seed.machineObjects('Machine').filter(({ metadata }) => metadata.labels?.name === deployment)
    const available = own.filter(({ status }) => status?.currentStatus?.phase === 'Running')
    most = Math.max(most, own.length)
    leastAvailable = Math.min(leastAvailable, available.length)
  }
  const end = seed.atEachMoment(count)
  return {
    end: (): SeenRoll => {
      end()
      const { spec } =
        seed.machineObjects('MachineDeployment').find(({ metadata }) => metadata.name === deployment) ?? {}
      return { replicas: spec?.replicas ?? 0, most, leastAvailable }
    },
  }
}
