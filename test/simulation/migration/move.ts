import type { ShootState, StoredState } from '../../../sandbox/gardenlet/gardenlet.ts'
import { changedRows, createObjectRows, rowText } from '../../../sandbox/simulation/oracle/oracle.ts'
import {
  broken as brokenInvariant,
  type DeliveryName,
  type SimulatedCode,
  type SimulationOptions,
  simulate,
  type World,
  type WorldBackup,
  type WorldSeed,
} from '../../../sandbox/simulation/simulation.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { MovedCloud } from './clouds.ts'
import type { Course } from './courses.ts'
import { brokenPromises, type Moved, movedOf, stillOf } from './move-oracle.ts'
import type { MovePoint, RecordedExchange } from './move-point.ts'
import { createRecorder } from './move-recorder.ts'
import { repeatedGardenlet } from './repeated-gardenlet.ts'

export interface MoveOptions {
  readonly code: SimulatedCode
  readonly cloud: MovedCloud
  readonly delivery: DeliveryName
  readonly course: Course
  /** A world in which the shoot is in the first seed: `startOfMoves`. */
  readonly from: WorldBackup
  readonly points: readonly MovePoint[]
  /** The result of a move without faults, to which this one must be equal. */
  readonly expected: Moved | undefined
  /** Time without a write after the move. */
  readonly restMinutes: number
  readonly trace?: SimulationOptions<never>['trace']
}

export interface MoveResult {
  readonly exchanges: readonly RecordedExchange[]
  readonly moved: Moved
  readonly broken: readonly string[]
  readonly virtualMs: number
  readonly trace: readonly string[]
  readonly hash: string
}

const minuteMs = 60_000

/** Creates the shoot in the first seed. */
export const startOfMoves = ({ code, cloud }: Pick<MoveOptions, 'code' | 'cloud'>): Promise<WorldBackup> =>
  simulate({ seed: 'start', code, cloud: cloud.create, delivery: 'in-memory' }, async world => {
    const { shoot, seeds } = world.cloud
    const gardenlet = world.first.gardenlet(new AbortController().signal)
    await cloud.furnish(world.cloud)
    await gardenlet.prepareSeed()
    await gardenlet.reconcile(shoot)
    await cloud.backUp(world.cloud, seeds.first.backup.bucketName)
    await world.clock.sleep(10 * minuteMs)
    return world.backUp()
  })

/** Runs a course between two seeds, with a fault at each point. */
export const runMove = async (options: MoveOptions): Promise<MoveResult> => {
  const { code, cloud, delivery, course, points, expected } = options
  const recorder = createRecorder(points)
  return simulate(
    {
      seed: 'move',
      code,
      cloud: cloud.create,
      delivery,
      from: options.from,
      fates: () => recorder.fates,
      ...(options.trace && { trace: options.trace }),
    },
    async world => {
      const { first, second, clock, trace } = world
      recorder.watch({ first, second, clock })
      const { landscape, seeds } = world.cloud
      const start = clock.now()
      const gardenletOf = (seed: WorldSeed, facts: typeof seeds.first) =>
        repeatedGardenlet({
          seed,
          facts,
          landscape,
          clock,
          fates: recorder.fates,
          isGivenUp: recorder.isGivenUp,
          trace,
        })
      const [north, south] = [gardenletOf(first, seeds.first), gardenletOf(second, seeds.second)]
      await south('prepare', gardenlet => gardenlet.prepareSeed())
      await clock.sleep(minuteMs)
      const before = movedOf(world, first)

      const broken: string[] = []
      const backUp = (bucket: string) => cloud.backUp(world.cloud, bucket)
      try {
        await course.run({ world, north, south, garden: storedState(), recorder, cloud, backUp })
      } catch (error) {
        broken.push(brokenInvariant('every wait has a reason, every operation an end', messageOf(error)))
      }
      recorder.end()
      await untilQuiet(clock, recorder.writes)
      const rested = recorder.writes().length
      const rowsOf = createObjectRows()
      const still = stillOf(world, rowsOf)
      await clock.sleep(options.restMinutes * minuteMs)
      const [holder, other] = course.holder === 'first' ? [first, second] : [second, first]
      const moved = movedOf(world, holder)
      broken.push(
        ...recorder.problems(),
        ...brokenPromises({ world, holder, other, before, course, expected }),
        ...changedRows(still, stillOf(world, rowsOf)).map(row =>
          brokenInvariant('idle means idle', rowText(row)),
        ),
        ...world.broken(),
        ...recorder
          .writes()
          .slice(rested)
          .filter(write => !isHealthCheck(write) && !isResync(write))
          .map(write => brokenInvariant('idle means idle', write))
          .slice(0, 5),
      )
      return {
        exchanges: recorder.exchanges(),
        moved,
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

/** An Extension is reconciled every hour, which writes only its operation. */
const isResync = (write: string): boolean =>
  /\.extension\.reconcile$|PATCH \S+\/v1alpha1\/namespaces\/[^/]+\/extensions\/[^/]+$/.test(write)

const storedState = (): StoredState => {
  let stored: ShootState | undefined
  return {
    read: () => stored,
    write: state => {
      stored = state
    },
  }
}
