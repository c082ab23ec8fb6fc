import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { alternately } from '../alternately.ts'
import type { JobResult, SimulationJob, SimulationSet } from '../simulation-set.ts'
import { type PointClass, pointClasses } from './faults-of.ts'
import { phasesOf } from './phases.ts'
import { hourMs } from './play-phase.ts'
import { createPhaseRecorder, type PointResult } from './run-points.ts'
import { type Subject, subjects } from './subjects.ts'

/** The kinds whose pairs of points are all tested. */
const smallKinds = new Set(['DNSRecord', 'BackupEntry', 'OperatingSystemConfig'])

/** Number of jobs that share the points of a phase. */
const slicesOf = ({ kind }: Subject): number => (smallKinds.has(kind) ? 8 : 48)

/** Number of first points for which all second points are tested, of the other kinds. */
const firstPoints = 4

/** One of so many runs ends with an hour at rest, as each phase without a fault does. The others end with a minute. */
const runsPerHour = 32

/**
 * Every point of every function: each phase in the life of one object, with one fault at each of its exchanges, late
 * events and missed changes. A fault that breaks a promise is named by the function, the phase and the point. Functions
 * alternate, and the first jobs of each are samples of all its phases, so that a short run tests a part of everything.
 */
export const pointsSet: SimulationSet = {
  name: 'points',
  *jobs({ functions }) {
    const recorder = loadSimulatedCode().then(createPhaseRecorder)
    const chosen = subjects.filter(({ name }) => functions?.includes(name) ?? true)
    /** A process records the phases of its subjects. A run of some functions uses all processes for each. */
    const topicOf = ({ name }: Subject) => (functions === undefined ? { topic: name } : {})
    yield* alternately(chosen.map(singles))
    yield* alternately(chosen.map(pairs))

    function* singles(subject: Subject): Generator<SimulationJob> {
      const slices = slicesOf(subject)
      for (let slice = 0; slice < slices; slice++)
        for (const phase of phasesOf(subject))
          for (const of of pointClasses)
            yield {
              id: `${subject.name} ${phase.name}, ${of} ${slice + 1} of ${slices}`,
              ...topicOf(subject),
              run: async () => {
                const recorded = await (await recorder)(subject, phase)
                if (recorded.failure !== undefined) return resultOf(subject, of, [recorded.failure])
                const points = recorded.points(of).filter((_, index) => index % slices === slice)
                const results = []
                for (const [index, point] of points.entries())
                  results.push(
                    await recorded.run([point], (index + slice) % runsPerHour === 0 ? hourMs : undefined),
                  )
                return resultOf(subject, of, results)
              },
            }
    }

    function* pairs(subject: Subject): Generator<SimulationJob> {
      const isWhole = smallKinds.has(subject.kind)
      const slices = isWhole ? 16 : firstPoints
      for (let slice = 0; slice < slices; slice++)
        for (const phase of phasesOf(subject))
          yield {
            id: `${subject.name} ${phase.name}, two faults ${slice + 1} of ${slices}`,
            ...topicOf(subject),
            run: async () => {
              const recorded = await (await recorder)(subject, phase)
              const points = recorded.points('intermediate')
              const firsts = isWhole
                ? points.filter((_, index) => index % slices === slice)
                : points.slice(Math.floor((slice / slices) * points.length)).slice(0, 1)
              const results = []
              for (const first of firsts) {
                // The second fault can be in the work that the first one caused.
                const { points: later } = await recorded.run([first])
                for (const second of later('intermediate'))
                  if (second.at > first.at) results.push(await recorded.run([first, second]))
              }
              return resultOf(subject, 'intermediate', results)
            },
          }
    }
  },
}

const resultOf = ({ kind }: Subject, of: PointClass, results: readonly PointResult[]): JobResult => ({
  kinds: [kind],
  runs: results.length,
  points: { intermediate: 0, stale: 0, unobserved: 0, [of]: results.length },
  virtualMs: results.reduce((sum, { virtualMs }) => sum + virtualMs, 0),
  failures: results.flatMap(({ failure }) => failure ?? []),
})
