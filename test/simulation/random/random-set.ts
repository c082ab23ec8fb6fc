import { planLines, runSeed, type SeedResult, shrinkPlan } from '../../../sandbox/simulation/random/random.ts'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import type { JobResult, SimulationSet } from '../simulation-set.ts'
import { randomClouds } from './random-clouds.ts'

/** The time for the search of a smaller plan, in ms. */
const shrinkMs = 60_000

/** Whole worlds at random, without an end: seeds N, N + 1, … */
export const randomSet: SimulationSet = {
  name: 'random',
  *jobs({ seed, functions }) {
    const code = loadSimulatedCode()
    const first = /^\d{1,15}$/.test(seed) ? Number(seed) : undefined
    for (let number = 0; ; number++) {
      const own = first === undefined ? `${seed}-${number}` : String(first + number)
      yield { id: `seed ${own}`, run: async () => runJob(own, await code, functions) }
    }
  },
}

type Code = Awaited<ReturnType<typeof loadSimulatedCode>>

const runJob = async (
  seed: string,
  code: Code,
  functions: readonly string[] | undefined,
): Promise<JobResult> => {
  const { clouds, close } = randomClouds()
  const isMeant = (name: string) =>
    functions === undefined || functions.some(one => one.startsWith(name) || !/^(?:aws|local)-/.test(one))
  const meant = clouds.filter(({ name }) => isMeant(name))
  try {
    const result = await runSeed(seed, { code, clouds: meant })
    const { virtualMs } = result
    return {
      kinds: ['shoot'],
      runs: 1,
      points: { intermediate: 0, stale: 0, unobserved: 0 },
      virtualMs,
      failures: result.broken.length === 0 ? [] : [await shrunkFailure(result, code, meant)],
    }
  } finally {
    close()
  }
}

const shrunkFailure = async (
  result: SeedResult,
  code: Code,
  clouds: ReturnType<typeof randomClouds>['clouds'],
) => {
  const { seed } = result
  const until = performance.now() + shrinkMs
  let smallest = result
  await shrinkPlan(
    result.plan,
    async plan => {
      const again = await runSeed(seed, { code, clouds, plan })
      const isSame = again.broken.length > 0
      if (isSame) smallest = again
      return isSame
    },
    () => performance.now() > until,
  )
  return {
    what: `trellis replay --seed ${seed}`,
    broken: [...result.broken, ...planLines(smallest.plan)],
    trace: smallest.trace.slice(-40),
  }
}
