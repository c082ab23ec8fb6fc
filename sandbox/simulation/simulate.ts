import './determinism/deterministically.ts'
import type { Timestamp } from '../../shared/clock/clock.ts'
import { createGardenlet, type Gardenlet } from '../gardenlet/gardenlet.ts'
import type { Manifests } from '../knative/knative.ts'
import { type EtcdBackup, restoreServer } from '../kubernetes/kubernetes.ts'
import type { SeedFunction } from '../seed/seed.ts'
import type { CloudSide, CreateCloudSide } from './cloud-side.ts'
import { createKeys } from './determinism/deterministic-keys.ts'
import { deterministically } from './determinism/deterministically.ts'
import { createInvariants } from './invariants/invariants.ts'
import { type Fates, noFaults } from './process/exchange.ts'
import { createRandom, type Random } from './random.ts'
import {
  createSimulatedSeed,
  type DeliveryName,
  type SimulatedSeed,
  type SimulatedSeedOptions,
} from './seed/simulated-seed.ts'
import { simulatedHttp } from './shoots/simulated-http.ts'
import { createSimulatedShoots, type SimulatedShoots } from './shoots/simulated-shoots.ts'
import { createSimulationClock, type SimulationClock } from './simulation-clock.ts'
import { createTrace, type Trace, type TraceOptions } from './trace.ts'

/** The code and manifests under simulation. They are loaded before the run, because a run reads no files. */
export interface SimulatedCode {
  readonly functions: readonly SeedFunction[]
  /** The most events at a time of each function, by its name. */
  readonly concurrency: ReadonlyMap<string, number>
  /** Manifests with a Broker, by delivery. */
  readonly manifests: (delivery: DeliveryName) => Manifests
}

export interface SimulationOptions<C extends CloudSide> {
  readonly seed: string
  readonly code: SimulatedCode
  readonly cloud: (options: Parameters<CreateCloudSide>[0]) => C
  readonly delivery: DeliveryName
  /** Decides the fate of each exchange. `random` is independent of that of other parts. Default: no faults. */
  readonly fates?: (surroundings: { readonly clock: SimulationClock; readonly random: Random }) => Fates
  /** Options of each seed. */
  readonly ofSeeds?: Partial<SimulatedSeedOptions>
  readonly trace?: Pick<TraceOptions, 'retained' | 'onLine'>
  /** The run continues from here, with its time. Default: an empty world. */
  readonly from?: WorldBackup
  /** A run that takes more virtual time is stuck, in ms. Default: 30 days. */
  readonly longestMs?: number
}

/** A seed of the world with its gardenlet. */
export interface WorldSeed extends SimulatedSeed {
  /** Returns a gardenlet. The signal ends all its waits. */
  gardenlet(signal: AbortSignal): Gardenlet
}

/** A world without its processes: everything that survives them. */
export interface WorldBackup {
  readonly at: Timestamp
  /** The objects of the first seed. */
  readonly first: EtcdBackup
  /** The objects of shoots, by their namespace. */
  readonly shoots: ReadonlyMap<string, EtcdBackup>
  readonly cloud: unknown
  /** Number of keys that were created. */
  readonly keys: number
}

/** Everything that a scenario acts on. */
export interface World<C extends CloudSide = CloudSide> {
  readonly clock: SimulationClock
  /** A source for the scenario. */
  readonly random: Random
  readonly trace: Trace
  readonly cloud: C
  readonly shoots: SimulatedShoots
  /** Created with the first access. */
  readonly first: WorldSeed
  readonly second: WorldSeed
  /** Returns a copy without the second seed. */
  backUp(): WorldBackup
  /** Returns a sentence for each broken invariant so far. At rest also for what a deletion has left. */
  broken(): readonly string[]
  /** Returns true if an invariant is broken already. */
  isBroken(): boolean
}

const firstMoment = Date.parse('2026-01-01T00:00:00Z')
const dayMs = 24 * 3_600_000

/** Interval in which a gardenlet reads awaited objects, in ms. */
const pollMs = 1_000

/**
 * Runs a scenario on a virtual clock. Time passes while the scenario waits (`world.clock.sleep`, a gardenlet). Rejects
 * with the error of the scenario, and if the run is longer than its limit.
 *
 * @example
 * const hash = await simulate({ seed: '7', code, cloud: createAwsSide, delivery: 'kafka' }, async world => {
 *   await world.first.gardenlet(signal).reconcile(world.cloud.shoot)
 *   return world.trace.hash()
 * })
 */
export const simulate = async <T, C extends CloudSide>(
  options: SimulationOptions<C>,
  scenario: (world: World<C>) => Promise<T>,
): Promise<T> => {
  const { code, delivery, from, longestMs = 30 * dayMs } = options
  const start = from?.at ?? firstMoment
  const random = createRandom(options.seed)
  const clock = createSimulationClock(start)
  const trace = createTrace({ clock, ...options.trace })
  const shoots = createSimulatedShoots({ clock, random: random.fork('shoots') })
  const request = simulatedHttp(shoots.transportOf)
  const keys = createKeys(from?.keys)
  return deterministically({ clock, random: random.fork('process'), keys, request }, async () => {
    const invariants = createInvariants(clock)
    const cloud = options.cloud({ clock, random })
    // Calls of the steps that share a process wait for each other, so a call may run in the context of another step.
    const observed = delivery === 'seed process' ? undefined : cloud.observe?.(invariants)
    if (from !== undefined) {
      cloud.restore(from.cloud)
      for (const [namespace, backup] of from.shoots)
        restoreServer((await shoots.open(namespace)).server, backup)
    }
    const fates = options.fates?.({ clock, random: random.fork('fates') }) ?? noFaults
    const open = (facts: CloudSide['seeds']['first'], backup?: EtcdBackup): WorldSeed => {
      const seed = createSimulatedSeed({
        name: facts.name,
        invariants,
        clock,
        random,
        trace,
        fates,
        functions: code.functions.filter(cloud.serves),
        concurrency: code.concurrency,
        functionSettings: cloud.functionSettings,
        clouds: cloud.clouds,
        connections: cloud.connections,
        manifests: code.manifests(delivery),
        delivery,
        shoots,
        ...(backup && { backup }),
        ...options.ofSeeds,
      })
      const { landscape } = cloud
      const { kubernetes } = seed
      return {
        ...seed,
        gardenlet: signal => createGardenlet({ kubernetes, seed: facts, landscape, clock, signal, pollMs }),
      }
    }
    let first: WorldSeed | undefined
    let second: WorldSeed | undefined
    const world: World<C> = {
      clock,
      random: random.fork('scenario'),
      trace,
      cloud,
      shoots,
      get first() {
        first ??= open(cloud.seeds.first, from?.first)
        return first
      },
      get second() {
        second ??= open(cloud.seeds.second)
        return second
      },
      backUp: () => ({
        at: clock.now(),
        first: world.first.server.backUp(),
        shoots: shoots.backUp(),
        cloud: cloud.backUp(),
        keys: keys.used(),
      }),
      broken: () => {
        observed?.checkRest()
        return invariants.problems.all()
      },
      isBroken: () => invariants.problems.all().length > 0,
    }
    const drive = async <R>(work: Promise<R>, limit: number): Promise<R> => {
      let isOver = false
      const end = () => {
        isOver = true
      }
      work.then(end, end)
      while (!isOver)
        if (!(await clock.step(limit)) && !isOver) throw new Error(`the run takes more than ${longestMs} ms`)
      return work
    }
    try {
      return await drive(scenario(world), start + longestMs)
    } finally {
      const close = async () => {
        await first?.close()
        await second?.close()
        await shoots.close()
        cloud.close()
      }
      await drive(close(), clock.now() + dayMs)
    }
  })
}
