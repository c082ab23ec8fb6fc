import type { ShootState, StoredState } from '../../../sandbox/gardenlet/gardenlet.ts'
import {
  type CreateCloudSide,
  type DeliveryName,
  type Fates,
  type SimulatedCode,
  type SimulationOptions,
  simulate,
  type World,
  type WorldSeed,
} from '../../../sandbox/simulation/simulation.ts'
import { brokenPromises, differences, type Moved, movedOf, type Surroundings, stillOf } from './move-oracle.ts'
import { actorOf, fateOf, type MovePoint, type Phase, type RecordedExchange } from './move-point.ts'
import { repeatedGardenlet } from './repeated-gardenlet.ts'

export type Trace = World['trace']

export interface MoveOptions {
  readonly code: SimulatedCode
  readonly cloud: CreateCloudSide
  readonly delivery: DeliveryName
  readonly points?: readonly MovePoint[]
  /** The result of a move without faults, to which this one must be equal. */
  readonly expected?: Moved
  /** Time without a write after the move, in minutes. Default: 3. */
  readonly restMinutes?: number
  readonly trace?: SimulationOptions<never>['trace']
}

export interface MoveResult {
  readonly exchanges: readonly RecordedExchange[]
  readonly moved: Moved | undefined
  readonly broken: readonly string[]
  readonly virtualMs: number
  readonly trace: readonly string[]
  readonly hash: string
}

const minuteMs = 60_000

/** Moves a shoot from the first seed to the second, with a fault at each point. */
export const runMove = async (options: MoveOptions): Promise<MoveResult> => {
  const { code, cloud, delivery, points = [], expected } = options
  const recorder = createRecorder(points)
  return simulate(
    {
      seed: 'move',
      code,
      cloud,
      delivery,
      fates: () => recorder.fates,
      ofSeeds: {
        // Fewer renewals than by default: the longest part of a run is at rest.
        leaseTimes: { durationMs: 60_000, renewMs: 40_000, retryMs: 10_000 },
      },
      ...(options.trace && { trace: options.trace }),
    },
    async world => {
      const { first, second, clock, trace } = world
      recorder.watch({ first, second, clock })
      const { shoot, landscape, seeds } = world.cloud
      const start = clock.now()
      const gardenletOf = (seed: WorldSeed, facts: typeof seeds.first) =>
        repeatedGardenlet({ seed, facts, landscape, clock, fates: recorder.fates, trace })
      const [north, south] = [gardenletOf(first, seeds.first), gardenletOf(second, seeds.second)]
      await north('prepare', gardenlet => gardenlet.prepareSeed())
      await south('prepare', gardenlet => gardenlet.prepareSeed())
      await north('create', gardenlet => gardenlet.reconcile(shoot))
      await clock.sleep(minuteMs)
      const before = movedOf(world, first)

      const during = (type: string) => ({
        ...shoot,
        status: { ...shoot.status, lastOperation: { type, state: 'Processing' } },
      })
      const garden = storedState()
      const broken: string[] = []
      try {
        recorder.enter('migrate')
        const state = await north('migrate', gardenlet => gardenlet.migrate(during('Migrate'), garden))
        recorder.enter('between')
        await north('forget', gardenlet => gardenlet.forget(during('Migrate')))
        recorder.enter('restore')
        await south('restore', gardenlet => gardenlet.restore(during('Restore'), state))
      } catch (error) {
        broken.push(error instanceof Error ? error.message : String(error))
      }
      recorder.end()
      await untilQuiet(clock, recorder.writes)
      const rested = recorder.writes().length
      const still = stillOf(world)
      await clock.sleep((options.restMinutes ?? 3) * minuteMs)
      const surroundings: Surroundings = { world, before, expected }
      broken.push(
        ...recorder.problems(),
        ...brokenPromises(surroundings),
        ...differences('at rest, an object', still, stillOf(world)),
        ...recorder
          .writes()
          .slice(rested)
          .filter(write => !isHealthCheck(write))
          .map(write => `a write at rest: ${write}`)
          .slice(0, 5),
      )
      return {
        exchanges: recorder.exchanges(),
        moved: movedOf(world, second),
        broken,
        virtualMs: clock.now() - start,
        trace: trace.lines().slice(-200),
        hash: trace.hash(),
      }
    },
  )
}

/** Waits until there was no write for some minutes: longer than a claim and the longest backoff last. */
const untilQuiet = async ({ sleep }: World['clock'], writes: () => readonly string[]): Promise<void> => {
  for (let quiet = 0, seen = -1, minutes = 0; quiet < 6 && minutes < 90; minutes++) {
    await sleep(minuteMs)
    const now = writes().filter(write => !isHealthCheck(write)).length
    quiet = now === seen ? quiet + 1 : 0
    seen = now
  }
}

/** A health check is an event, and conditions that are written again before they are old. */
const isHealthCheck = (write: string): boolean => /healthcheck$|PATCH \S+\/status$/.test(write)

const storedState = (): StoredState => {
  let stored: ShootState | undefined
  return {
    read: () => stored,
    write: state => {
      stored = state
    },
  }
}

type Watched = Pick<World, 'first' | 'second' | 'clock'>

const createRecorder = (points: readonly MovePoint[]) => {
  let phase: Phase | undefined
  let world: Watched | undefined
  let isRecording = false
  const exchanges: RecordedExchange[] = []
  const writes: string[] = []
  const problems: string[] = []
  const counts = new Map<string, number>()
  const cutUntil = new Map<string, number>()
  let secondWroteAt: number | undefined

  const bridgesOf = (actor: string) => (actor.startsWith(`${world?.first.name}/`) ? world?.first : world?.second)
  const killBridges = (actor: string, which: 'leading' | 'all'): void => {
    const seed = bridgesOf(actor)
    if (seed === undefined || world === undefined) return
    const lease = seed.server.store
      .collection('leases.coordination.k8s.io')
      .list()
      .find(({ object }) => object.metadata.name === 'trellis-bridge')
    const holder = (lease?.object.spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity
    seed.bridges().forEach(({ process }, replica) => {
      if (which === 'leading' && process.name !== holder) return
      process.kill()
      world?.clock.after(20_000, () => seed.restart(replica))
    })
  }
  const processOf = (name: string) => {
    const seed = bridgesOf(name)
    return [...(seed?.instances() ?? []), ...(seed?.bridges() ?? [])]
      .map(({ process }) => process)
      .find(process => process.name === name)
  }

  const fates: Fates = (process, exchange) => {
    const actor = actorOf(process)
    const { about, isWrite, way } = exchange
    const isLease = about.includes('/leases')
    const isOwn = !isLease && !actor.endsWith('/gardenlet')
    const time = world?.clock.now() ?? 0
    const isFirst = world !== undefined && actor.startsWith(`${world.first.name}/`)
    if (isOwn && isWrite && phase !== undefined) {
      writes.push(`${process} ${about}`)
      if (way !== 'events' && !actor.includes('/bridge')) {
        if (!isFirst) secondWroteAt ??= time
        else if (secondWroteAt !== undefined)
          problems.push(`${process} wrote ${about} ${time - secondWroteAt} ms after the second seed`)
      }
    }
    if (way === 'kubernetes' && (cutUntil.get(actor.split('/')[0] ?? '') ?? 0) > time)
      return { kind: 'unreachable' }
    if (!isRecording || phase === undefined || isLease) return { kind: 'pass' }
    const number = (counts.get(actor) ?? 0) + 1
    counts.set(actor, number)
    if (exchanges.length < 20_000) exchanges.push({ ...exchange, actor, number, phase })
    const point = points.find(one => one.actor === actor && one.number === number)
    if (point === undefined) return { kind: 'pass' }
    const { effect } = point
    if (effect === 'frozen') processOf(process)?.freeze(5 * minuteMs)
    if (effect === 'leading bridge killed') killBridges(actor, 'leading')
    if (effect === 'both bridges killed') killBridges(actor, 'all')
    if (effect === 'API server unreachable') {
      cutUntil.set(actor.split('/')[0] ?? '', time + 45_000)
      return { kind: 'unreachable' }
    }
    return fateOf(effect)
  }
  return {
    fates,
    watch: (of: Watched) => {
      world = of
    },
    enter: (next: Phase) => {
      phase = next
      isRecording = true
    },
    /** From now on there are no faults. */
    end: () => {
      isRecording = false
    },
    exchanges: () => exchanges,
    writes: () => writes,
    problems: () => [...new Set(problems)].slice(0, 5),
  }
}
