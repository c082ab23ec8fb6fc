import type { GardenShoot } from '../../gardenlet/gardenlet.ts'
import { broken as brokenInvariant } from '../invariants/invariants.ts'
import {
  compareWorlds,
  rowText,
  unfinishedObjects,
  type WorldException,
  type WorldRow,
  worldExceptions,
} from '../oracle/oracle.ts'
import { type SimulatedCode, simulate, type World, type WorldSeed } from '../simulate.ts'
import { uncalledRolls, watchMachineClasses, worldRows, writesWithin } from './check-world.ts'
import { createPlan, namedCloudOf, type PlanLimits } from './create-plan.ts'
import { createHandOver, type HandOver } from './hand-over.ts'
import { perform, restartBridges } from './perform.ts'
import { planFates } from './plan-fates.ts'
import type { NamedCloud, RandomCloud } from './random-cloud.ts'
import { randomExceptions } from './random-exceptions.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { attemptMs, createShootLife, retryMs, type ShootLife } from './shoot-life.ts'
import { watchPauses } from './watch-pauses.ts'
import { watchSecrets } from './watch-secrets.ts'
import type { SeedName, WorldPlan } from './world-plan.ts'

export interface RunSeedOptions {
  readonly code: SimulatedCode
  readonly clouds: readonly NamedCloud[]
  readonly limits?: PlanLimits
  /** In place of the plan of the seed. */
  readonly plan?: WorldPlan
  /** Called with each line of the trace. */
  readonly onLine?: (line: string) => void
}

export interface SeedResult {
  readonly seed: string
  readonly plan: WorldPlan
  /** The hash of the trace. */
  readonly hash: string
  /** A sentence for each broken promise. */
  readonly broken: readonly string[]
  /** The last lines of the trace. */
  readonly trace: readonly string[]
  readonly virtualMs: number
}

const minute = 60_000
const hour = 60 * minute

/** After the faults, all requests must have succeeded within this time, in ms. */
const boundMs = 4 * hour
/** Machines that end, and controllers that stop: nothing waits for them. */
const calmMs = 20 * minute
const silenceMs = hour

/**
 * Nodes in real time, and leases that last four times as long as those of a real bridge: reports of nodes and renewals
 * are most of the work of a seed at rest.
 */
export const seedTimes = {
  machineScale: 1,
  leaseTimes: { durationMs: 60_000, renewMs: 40_000, retryMs: 8_000 },
} as const

/** Runs the scenario of a seed, and checks every promise. Rejects only on a bug of the simulation. */
export const runSeed = async (seed: string, options: RunSeedOptions): Promise<SeedResult> => {
  const { code, clouds, onLine } = options
  const plan = options.plan ?? createPlan(seed, clouds, options.limits)
  const cloud = clouds.find(({ name }) => name === plan.cloud)
  if (cloud === undefined) throw new TypeError(`there is no cloud ${plan.cloud}`)
  const { delivery } = plan
  const { own } = namedCloudOf(seed, clouds)
  let stopFaults = (): void => {}
  const replicas = createReplicas()
  const handOver = createHandOver()
  const trace: string[] = []
  const retain = (line: string): void => {
    onLine?.(line)
    // Elections renew their leases all the time.
    if (line.includes('/leases')) return
    trace.push(line)
    if (trace.length > 400) trace.splice(0, 200)
  }
  const ran = await simulate(
    {
      seed: own,
      code,
      cloud: given => cloud.create({ ...given, visibleAfterMs: plan.visibleAfterMs }),
      delivery,
      ofSeeds: { ...seedTimes, transportOf: replicas.transportOf },
      fates: surroundings => {
        const fates = planFates(plan, surroundings)
        stopFaults = fates.stop
        return handOver.observed(fates)
      },
      trace: { retained: 0, onLine: retain },
    },
    world => play(world, { plan, replicas, handOver, stopFaults: () => stopFaults() }),
  ).catch(error => ({
    hash: '',
    broken: [`the run fails: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
    rows: [],
    virtualMs: 0,
    final: undefined,
  }))
  const fresh =
    ran.final &&
    (await simulate(
      { seed: own, code, cloud: cloud.create, delivery, ofSeeds: seedTimes, trace: { retained: 0 } },
      world => createFresh(world, ran.final ?? [], plan),
    ))
  const different =
    fresh === undefined || ran.final === undefined
      ? []
      : compareWorlds(ran.rows, fresh.rows, {
          exceptions: [...worldExceptions, ...randomExceptions(awake(ran.final)), ...fresh.exceptions],
        }).map(difference => brokenInvariant('the live state is the wanted one', difference))
  return {
    seed,
    plan,
    hash: ran.hash,
    broken: [...ran.broken, ...different],
    trace: trace.slice(-200),
    virtualMs: ran.virtualMs + (fresh?.virtualMs ?? 0),
  }
}

interface FinalShoot {
  readonly shoot: GardenShoot
  readonly home: SeedName
}

interface RunOutcome {
  readonly hash: string
  readonly broken: readonly string[]
  readonly rows: readonly WorldRow[]
  readonly virtualMs: number
  /** Undefined if the end was not reached. */
  readonly final: readonly FinalShoot[] | undefined
}

interface WorldPlay {
  readonly plan: WorldPlan
  readonly replicas: Replicas
  readonly handOver: HandOver
  stopFaults(): void
}

const play = async (
  world: World<RandomCloud>,
  { plan, replicas, handOver, stopFaults }: WorldPlay,
): Promise<RunOutcome> => {
  const { clock, cloud, trace } = world
  const start = clock.now()
  await cloud.addForeign()
  const foreign = cloud.contents().map(rowText)
  const running = { first: world.first, second: world.second }
  const seeds: readonly WorldSeed[] = [running.first, running.second]
  const classes = seeds.map(watchMachineClasses)
  const ends = seeds.map(seed => restartBridges(seed, clock.after))
  const lives = plan.shoots.map((_, index) => createShootLife(world, cloud.shootNumber(index)))
  handOver.watch(world, lives)
  const secrets = watchSecrets(seeds, lives)
  const pauses = watchPauses(seeds, clock)
  let preparation = prepareAll(seeds, clock)
  const onRestore = () => {
    secrets.forget()
    preparation.abandon()
    preparation = prepareAll(seeds, clock)
  }
  const performance = { world, lives, replicas, seeds: () => running, onRestore }
  for (const life of lives) life.request({ kind: 'reconcile' })
  for (const action of plan.actions) {
    const wait = start + action.at - clock.now()
    if (wait > 0) await clock.sleep(wait)
    await perform(performance, action).catch(error => trace.note('people', `failed: ${String(error)}`))
  }
  const last = Math.max(0, ...plan.actions.map(action => action.at + ('forMs' in action ? action.forMs : 0)))
  await clock.sleep(Math.max(0, start + last - clock.now()))
  stopFaults()
  trace.note('simulation', 'the faults stop')

  const ended = Promise.all(lives.map((life, index) => life.finish(plan.shoots[index] ?? 'present')))
  const outcome = await Promise.race([
    Promise.all([preparation.done, ended]).then(() => undefined, String),
    clock.sleep(boundMs).then(() => `not done ${boundMs / hour} hours after the faults stopped`),
  ])
  if (outcome !== undefined) {
    for (const end of ends) end()
    const standing = lives.map(life => `${life.namespace}: ${life.standing()}`)
    const late = [outcome, ...standing].map(text =>
      brokenInvariant('every wait has a reason, every operation an end', text),
    )
    const broken = [...late, ...unfinishedObjects(objectsOf(seeds)), ...world.broken()]
    return { hash: trace.hash(), broken, rows: [], virtualMs: clock.now() - start, final: undefined }
  }
  await clock.sleep(calmMs)
  const noise = await writesWithin(world, seeds, silenceMs)
  for (const end of ends) end()
  const now = new Set(cloud.contents().map(rowText))
  const broken = [
    ...unfinishedObjects(objectsOf(seeds)),
    ...noise,
    ...foreign
      .filter(line => !now.has(line))
      .map(line => brokenInvariant('nothing of others is touched', line)),
    ...handOver.problems(),
    ...secrets.problems(),
    ...pauses(),
    ...world.broken(),
    ...lives.flatMap(life => classes.flatMap(seen => uncalledRolls(life, seen()))),
  ]
  const final = lives.flatMap(finalShoot)
  const rows = await worldRows(world, seeds, awake(final))
  return { hash: trace.hash(), broken, rows, virtualMs: clock.now() - start, final }
}

/**
 * Prepares the seeds, and starts again after a time, as gardenlet does: etcd without later versions hides a first write
 * from watches (kubernetes/kubernetes#107457).
 */
const prepareAll = (seeds: readonly WorldSeed[], clock: World['clock']) => {
  let isAbandoned = false
  let attempt = new AbortController()
  const prepare = async (): Promise<void> => {
    while (!isAbandoned) {
      attempt = new AbortController()
      const { signal } = attempt
      const cancel = clock.after(attemptMs, () => attempt.abort(new Error('the attempt took too long')))
      try {
        await Promise.all(seeds.map(seed => seed.gardenlet(signal).prepareSeed()))
        return
      } catch {
        await clock.sleep(retryMs)
      } finally {
        cancel()
      }
    }
  }
  return {
    done: prepare(),
    abandon: () => {
      isAbandoned = true
      attempt.abort(new Error('etcd was restored'))
    },
  }
}

const awake = (shoots: readonly FinalShoot[]): readonly string[] =>
  shoots.filter(({ shoot }) => !shoot.spec.hibernation.enabled).map(({ shoot }) => shoot.status.technicalID)

const finalShoot = (life: ShootLife): readonly FinalShoot[] => {
  const shoot = life.shoot()
  return shoot === undefined ? [] : [{ shoot, home: life.home() }]
}

interface FreshWorld {
  readonly rows: readonly WorldRow[]
  readonly exceptions: readonly WorldException[]
  readonly virtualMs: number
}

/** Creates the final shoots in a world without faults. */
const createFresh = async (
  world: World<RandomCloud>,
  shoots: readonly FinalShoot[],
  { actions }: WorldPlan,
): Promise<FreshWorld> => {
  const { clock, cloud } = world
  const start = clock.now()
  const { signal } = new AbortController()
  await cloud.addForeign()
  // Objects may contain the credentials.
  for (const { kind } of actions) if (kind === 'change credentials') cloud.changeCredentials()
  const seeds = [world.first, world.second]
  for (const seed of seeds) await seed.gardenlet(signal).prepareSeed()
  await Promise.all(shoots.map(({ shoot, home }) => world[home].gardenlet(signal).reconcile(shoot)))
  await clock.sleep(calmMs)
  const rows = await worldRows(world, seeds, awake(shoots))
  return { rows, exceptions: cloud.exceptions ?? [], virtualMs: clock.now() - start }
}

const objectsOf = (seeds: readonly WorldSeed[]) =>
  seeds.flatMap(({ server: { store } }) =>
    store.resources().flatMap(resource =>
      store
        .collection(resource)
        .list()
        .map(({ object }) => object),
    ),
  )
