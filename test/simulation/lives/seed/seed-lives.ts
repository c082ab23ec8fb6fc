import { loadSimulatedCode, type SimulatedCode } from '../../../../sandbox/simulation/simulation.ts'
import { createBaseWorlds, type OpenBaseWorlds } from '../../points/base-worlds.ts'
import type { JobResult, SimulationFailure } from '../../simulation-set.ts'
import { runSeedLife, type SeedLifeOptions } from './run-seed-life.ts'
import type { SeedCast } from './seed-cast.ts'
import { planSeedLife, type SeedPlan, seedLifeLines } from './seed-plan.ts'

/** The time for the search of a smaller plan, in ms. */
const shrinkMs = 20_000

/** Lives of single objects in complete shoots. They share the worlds in which they begin. */
export const createSeedLives = () => {
  const fresh: SeedLifeOptions['fresh'] = new Map()
  let opened: Promise<{ readonly code: SimulatedCode; readonly bases: OpenBaseWorlds }> | undefined
  const open = async () => {
    const code = await loadSimulatedCode()
    return { code, bases: createBaseWorlds(code) }
  }
  return {
    run: async (seed: string, cast: SeedCast): Promise<JobResult> => {
      opened ??= open()
      const { code, bases } = await opened
      const options = { code, bases: await bases(cast.subject.cloud), cast, fresh }
      const plan = planSeedLife(seed, cast)
      const { broken, virtualMs } = await runSeedLife(plan, options)
      return {
        kinds: [cast.subject.kind],
        runs: 1,
        points: { intermediate: 0, stale: 0, unobserved: 0 },
        virtualMs,
        failures: broken.length === 0 ? [] : [await shrunk(plan, broken, options)],
      }
    },
  }
}

/** Leaves out events as long as the life fails. */
const shrunk = async (
  life: SeedPlan,
  broken: readonly string[],
  options: SeedLifeOptions,
): Promise<SimulationFailure> => {
  const until = performance.now() + shrinkMs
  let smallest = life
  for (let index = life.events.length - 1; index >= 0 && performance.now() < until; index--) {
    const plan = { ...smallest, events: smallest.events.toSpliced(index, 1) }
    if ((await runSeedLife(plan, options)).broken.length > 0) smallest = plan
  }
  const { trace } = await runSeedLife(smallest, { ...options, traced: true })
  return {
    what: `seed life ${life.seed}`,
    broken: [...broken, ...seedLifeLines(smallest)],
    trace: trace.filter(line => !/\/leases|: GET /.test(line)).slice(-80),
  }
}
