import { runDirectory } from '../../../sandbox/providers/local/simulation/run-directory.ts'
import {
  createRandom,
  type DeliveryName,
  loadSimulatedCode,
  type SimulatedCode,
  type WorldBackup,
} from '../../../sandbox/simulation/simulation.ts'
import type { JobResult, SimulationFailure, SimulationJob, SimulationSet } from '../simulation-set.ts'
import { awsCloud, localCloud, type MovedCloud, openstackCloud } from './clouds.ts'
import {
  type Course,
  givenUpAndReconciled,
  givenUpInMigration,
  givenUpInReconcile,
  givenUpInRestore,
  moved,
  restoredInItsSeed,
  stateFromBefore,
  stateOfGo,
} from './courses.ts'
import { type MoveResult, runMove, startOfMoves } from './move.ts'
import type { Moved } from './move-oracle.ts'
import { type Effect, effects, isPoint, type MovePoint, pointText } from './move-point.ts'

/**
 * Moves of a shoot between two seeds: a fault at each exchange of each process, states that are old, moves that are
 * given up. Then pairs of faults at random.
 */
export const migrationSet: SimulationSet = {
  name: 'migration',
  jobs: ({ seed, functions }) => jobsOf(createMoves(), seed, functions),
}

const deliveries: readonly DeliveryName[] = ['in-memory', 'kafka', 'rabbitmq', 'nats', 'seed process']

/** A shoot is watched after its move, in minutes: after one without faults for longer. */
const shortRest = 3
const longRest = 60

/** Points of one effect are distributed over this number of jobs. */
const slices = 64

function* jobsOf(
  moves: Moves,
  seed: string,
  functions: readonly string[] | undefined,
): Generator<SimulationJob> {
  const clouds = [moves.local, moves.aws, moves.openstack].filter(
    ({ name }) => functions === undefined || functions.some(fn => fn.startsWith(`${name}-`) || !hasCloud(fn)),
  )
  const of = (cloud: MovedCloud, delivery: DeliveryName, course: Course) =>
    `${cloud.name} ${delivery}, ${course.name}`
  for (const cloud of clouds)
    for (const delivery of deliveries)
      for (const course of coursesOf(cloud)) {
        const id = of(cloud, delivery, course)
        yield { id, run: () => moves.run({ id, cloud, delivery, course }) }
      }
  for (const cloud of clouds)
    for (const course of courses)
      for (const effect of effects.filter(one => isEffectOf(course, one)))
        for (let slice = 0; slice < slices; slice++) {
          // Each delivery gets its share of the points.
          const delivery = deliveries[slice % deliveries.length] as DeliveryName
          const id = `${of(cloud, delivery, course)}, ${effect}, ${slice + 1} of ${slices}`
          const choose = (points: (of: Effect) => readonly MovePoint[]) =>
            points(effect)
              .filter((_, index) => index % slices === slice)
              .map(point => [point])
          yield { id, run: () => moves.run({ id, cloud, delivery, course, choose }) }
        }
  for (let number = 1; ; number++) {
    const random = createRandom(`${seed}/${number}`)
    const cloud = random.pick(clouds)
    const delivery = random.pick(deliveries)
    const id = `${of(cloud, delivery, moved)}, two faults, seed ${seed}/${number}`
    const choose = (points: (of: Effect) => readonly MovePoint[]) => [
      [0, 1].map(() => random.pick(points(random.pick(effects.filter(one => one !== 'given up'))))),
    ]
    yield { id, run: () => moves.run({ id, cloud, delivery, course: moved, choose }) }
  }
}

const hasCloud = (fn: string): boolean => /^(?:aws|local|openstack)-/.test(fn)

const courses: readonly Course[] = [
  moved,
  restoredInItsSeed,
  givenUpInMigration,
  givenUpAndReconciled,
  givenUpInReconcile,
  givenUpInRestore,
  stateOfGo,
]

const isEffectOf = ({ givenUpIn, holder }: Course, effect: Effect): boolean => {
  if (effect === 'frozen before') return holder === 'second' && givenUpIn !== 'restore'
  return (effect === 'given up') === (givenUpIn !== undefined)
}

const coursesOf = ({ changes }: MovedCloud): readonly Course[] => [
  ...courses,
  ...Object.keys(changes).flatMap(change => [
    stateFromBefore(change, 'after'),
    stateFromBefore(change, 'from before'),
  ]),
]

interface MoveJob {
  readonly id: string
  readonly cloud: MovedCloud
  readonly delivery: DeliveryName
  readonly course: Course
  /** Returns the points of each run, from all points of an effect. Default: one run without faults. */
  readonly choose?: (points: (of: Effect) => readonly MovePoint[]) => readonly (readonly MovePoint[])[]
}

interface Moves {
  readonly local: MovedCloud
  readonly aws: MovedCloud
  readonly openstack: MovedCloud
  run(job: MoveJob): Promise<JobResult>
}

/** Runs moves. Courses without faults are cached, because each course with a fault is compared with one. */
const createMoves = (): Moves => {
  let code: Promise<SimulatedCode> | undefined
  const faultless = new Map<string, Promise<MoveResult>>()
  const starts = new Map<string, Promise<WorldBackup>>()
  const one = async (
    { cloud, delivery, course }: MoveJob,
    points: readonly MovePoint[],
    expected: Moved | undefined,
    restMinutes: number,
  ): Promise<MoveResult> => {
    code ??= loadSimulatedCode()
    const loaded = await code
    const starting = starts.get(cloud.name) ?? startOfMoves({ code: loaded, cloud })
    starts.set(cloud.name, starting)
    const from = await starting
    return runMove({
      code: loaded,
      cloud,
      delivery,
      course,
      from,
      points,
      expected,
      restMinutes,
    })
  }
  const withoutFaults = async (job: MoveJob, restMinutes = shortRest): Promise<MoveResult> => {
    const key = `${job.cloud.name} ${job.delivery} ${job.course.name} ${restMinutes}`
    const current = job.course.current
    const expected = current && (await withoutFaults({ ...job, course: current })).moved
    const running = faultless.get(key) ?? one(job, [], expected, restMinutes)
    faultless.set(key, running)
    return running
  }
  return {
    local: localCloud(runDirectory()),
    aws: awsCloud,
    openstack: openstackCloud,
    run: async job => {
      const { id, course, choose } = job
      const base = await withoutFaults(job, choose === undefined ? longRest : shortRest)
      const pointsOf = (effect: Effect): readonly MovePoint[] =>
        base.exchanges
          .filter(exchange => isPoint(effect, exchange, course))
          .map(({ actor, number }) => ({ actor, number, effect }))
      const failures: SimulationFailure[] = []
      let [runs, intermediate, virtualMs] = [0, 0, 0]
      for (const points of choose?.(pointsOf) ?? [[]]) {
        const isBase = points.length === 0
        const result = isBase
          ? base
          : await one(job, points, course.holder === 'first' ? undefined : base.moved, shortRest)
        runs++
        virtualMs += result.virtualMs
        intermediate += points.length
        if (result.broken.length > 0)
          failures.push({
            what: [id, ...points.map(pointText)].join(', '),
            broken: result.broken,
            trace: result.trace.slice(-60),
          })
      }
      const points = { intermediate, stale: 0, unobserved: 0 }
      return { kinds: ['shoot'], runs, points, virtualMs, failures }
    },
  }
}
