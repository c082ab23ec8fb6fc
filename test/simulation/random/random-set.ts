import {
  type NamedCloud,
  planLines,
  runSeed,
  type SeedResult,
  shrinkPlan,
} from '../../../sandbox/simulation/random/random.ts'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import type { JobResult, SimulationSet } from '../simulation-set.ts'
import { randomClouds } from './random-clouds.ts'

/** The time for the search of a smaller plan, in ms. */
const shrinkMs = 60_000

/** Whole worlds at random, without an end: seeds N, N + 1, …, each in another cloud. */
export const randomSet: SimulationSet = {
  name: 'random',
  *jobs({ seed: given, functions }) {
    const code = loadSimulatedCode()
    const { clouds, close } = randomClouds()
    close()
    const meant = clouds.map(({ name }) => name).filter(name => isMeant(name, functions, clouds))
    if (meant.length === 0) return
    const first = /^\d{1,15}$/.test(given) ? Number(given) : undefined
    for (let number = 0; ; number++) {
      const own = first === undefined ? `${given}-${number}` : String(first + number)
      const seed = `${meant[number % meant.length]}-${own}`
      yield { id: `seed ${seed}`, run: async () => runJob(seed, await code) }
    }
  },
}

type Code = Awaited<ReturnType<typeof loadSimulatedCode>>

/** Returns true if one of the functions works in a cloud. */
const isMeant = (
  name: string,
  functions: readonly string[] | undefined,
  clouds: readonly NamedCloud[],
): boolean =>
  functions === undefined ||
  functions.some(one => one.startsWith(`${name}-`) || !clouds.some(cloud => one.startsWith(`${cloud.name}-`)))

const runJob = async (seed: string, code: Code): Promise<JobResult> => {
  const { clouds, close } = randomClouds()
  try {
    const result = await runSeed(seed, { code, clouds })
    const { virtualMs } = result
    return {
      kinds: ['shoot'],
      runs: 1,
      points: { intermediate: 0, stale: 0, unobserved: 0 },
      virtualMs,
      failures: result.broken.length === 0 ? [] : [await shrunkFailure(result, code, clouds)],
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
