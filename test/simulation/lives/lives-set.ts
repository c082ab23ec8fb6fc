import { createRandom, loadSimulatedCode, type Random } from '../../../sandbox/simulation/simulation.ts'
import { alternately } from '../alternately.ts'
import type { JobResult, SimulationFailure, SimulationJob, SimulationSet } from '../simulation-set.ts'
import type { Cast } from './cast.ts'
import { backups } from './casts/backups.ts'
import { bastions } from './casts/bastions.ts'
import { networks } from './casts/networks.ts'
import { records } from './casts/records.ts'
import { lifeCases } from './life-cases.ts'
import { type LifePlan, lifeLines, planLife } from './plan-life.ts'
import { withMeetings } from './plan-meetings.ts'
import { inPeace } from './plan-peace.ts'
import { withStories } from './plan-stories.ts'
import { withTimes } from './plan-times.ts'
import { type FreshLives, type LifeOptions, runLife } from './run-life.ts'
import { seedCasts } from './seed/seed-cast.ts'
import { createSeedLives } from './seed/seed-lives.ts'
import { openStage } from './stage.ts'

export const casts: readonly Cast[] = [records, networks, backups, bastions]

/** The time for the search of a smaller plan, in ms. */
const shrinkMs = 20_000

/** Short lives of few objects at random, without an end, in accounts that are as unkind as AWS may be. */
export const livesSet: SimulationSet = {
  name: 'lives',
  *jobs({ seed, functions }) {
    const chosen = casts.filter(cast => functions?.some(name => cast.functions.includes(name)) ?? true)
    const inSeed = seedCasts.filter(({ subject }) => functions?.includes(subject.name) ?? true)
    if (chosen.length === 0 && inSeed.length === 0) return
    const lives = createLives()
    for (const [index, { plan }] of lifeCases.entries()) {
      const cast = chosen.find(({ name }) => name === plan.cast)
      if (cast !== undefined) yield { id: `life case ${index + 1}`, run: () => lives.runPlan(plan, cast) }
    }
    yield* alternately([seedLives(), castLives()].filter((_, index) => [inSeed, chosen][index]?.length))

    function* castLives(): Generator<SimulationJob> {
      for (let number = 0; ; number++)
        for (const cast of chosen)
          for (let index = 0; index < (cast.often ?? 1); index++) {
            const own = `${cast.name} ${seed}-${number * (cast.often ?? 1) + index}`
            yield { id: `life ${own}`, run: () => lives.run(own, cast) }
          }
    }
    function* seedLives(): Generator<SimulationJob> {
      const all = createSeedLives()
      for (let number = 0; ; number++)
        for (const cast of inSeed)
          for (let index = 0; index < cast.often; index++) {
            const own = `${cast.subject.name} ${seed}-${number * cast.often + index}`
            // Each process opens a world of its own.
            const topic = functions === undefined ? { topic: cast.subject.cloud } : {}
            yield { id: `seed life ${own}`, ...topic, run: () => all.run(own, cast) }
          }
    }
  },
}

/** Lives of a process. They share the worlds in which they begin, and the creations with which they are compared. */
export const createLives = () => {
  const fresh: FreshLives = new Map()
  let opened: Promise<Pick<LifeOptions, 'code' | 'stage'>> | undefined
  const open = async () => {
    const code = await loadSimulatedCode()
    return { code, stage: await openStage(code) }
  }
  const optionsOf = async (cast: Cast): Promise<LifeOptions> => {
    opened ??= open()
    return { ...(await opened), cast, fresh }
  }
  const plan = async (seed: string, cast: Cast): Promise<LifePlan> => {
    const { stage } = await optionsOf(cast)
    const parts = (random: Random) => cast.parts(random, stage.given)
    const all = parts(createRandom(`${seed}/parts`))
    const ways = [withStories, withStories, withTimes, withMeetings, inPeace]
    const meet = createRandom(`${seed}/plan`).pick(ways)
    return meet(planLife(seed, cast, parts), cast, all)
  }
  const runPlan = async (life: LifePlan, cast: Cast): Promise<JobResult> => {
    const options = await optionsOf(cast)
    const { broken, virtualMs } = await runLife(life, options)
    return {
      kinds: [cast.name],
      runs: 1,
      points: { intermediate: 0, stale: 0, unobserved: 0 },
      virtualMs,
      failures: broken.length === 0 ? [] : [await shrunk(life, broken, options)],
    }
  }
  return {
    plan,
    runPlan,
    play: async (life: LifePlan, cast: Cast, traced = false) =>
      runLife(life, { ...(await optionsOf(cast)), traced }),
    run: async (seed: string, cast: Cast) => runPlan(await plan(seed, cast), cast),
  }
}

/** Leaves out events as long as the life fails. */
const shrunk = async (
  life: LifePlan,
  broken: readonly string[],
  options: LifeOptions,
): Promise<SimulationFailure> => {
  const until = performance.now() + shrinkMs
  let smallest = life
  const tries = (plan: LifePlan): readonly LifePlan[] => [
    ...plan.events.map((_, index) => ({ ...plan, events: plan.events.toSpliced(index, 1) })),
    ...(plan.hasOthers ? [{ ...plan, hasOthers: false }] : []),
    ...(plan.hostility.shuffles ? [{ ...plan, hostility: { ...plan.hostility, shuffles: false } }] : []),
    ...(plan.hostility.pages ? [{ ...plan, hostility: { ...plan.hostility, pages: undefined } }] : []),
    ...(plan.hostility.lagMs > 0 ? [{ ...plan, hostility: { ...plan.hostility, lagMs: 0 } }] : []),
  ]
  search: for (;;) {
    for (const plan of tries(smallest)) {
      if (performance.now() > until) break search
      if ((await runLife(plan, options)).broken.length === 0) continue
      smallest = plan
      continue search
    }
    break
  }
  const { trace } = await runLife(smallest, { ...options, traced: true })
  return {
    what: `life ${life.seed}`,
    broken: [...broken, ...lifeLines(smallest)],
    trace: trace.filter(line => !line.includes('/leases')).slice(-80),
  }
}
