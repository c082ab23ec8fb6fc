import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { alternately } from '../alternately.ts'
import type { JobResult, SimulationJob, SimulationSet } from '../simulation-set.ts'
import { type Point, type PointClass, pointClasses } from './faults-of.ts'
import { type Phase, phasesOf } from './phases.ts'
import { createPhaseRecorder } from './run-points.ts'
import { type Subject, subjects } from './subjects.ts'

/** The kinds whose pairs of points are all tested. */
const smallKinds = new Set(['DNSRecord', 'BackupEntry', 'OperatingSystemConfig'])

/** Number of jobs that share the points of a phase. */
const slicesOf = ({ kind }: Subject): number => (smallKinds.has(kind) ? 8 : 24)

/**
 * Every point of every function: each phase in the life of one object, with one fault at each of its exchanges, reads of the
 * past and missed changes. A fault that breaks a promise is named by the function, the phase and the point. Functions alternate,
 * and the first jobs of each are samples of all its phases, so that a short run tests a part of everything.
 */
export const pointsSet: SimulationSet = {
  name: 'points',
  *jobs({ functions }) {
    const recorder = loadSimulatedCode().then(createPhaseRecorder)
    const chosen = subjects.filter(({ name }) => functions?.includes(name) ?? true)
    yield* alternately(chosen.map(singles))
    yield* alternately(chosen.map(pairs))

    function* singles(subject: Subject): Generator<SimulationJob> {
      const slices = slicesOf(subject)
      for (let slice = 0; slice < slices; slice++)
        for (const phase of phasesOf(subject))
          for (const of of pointClasses)
            yield job(subject, phase, of, ` ${slice + 1} of ${slices}`, points =>
              points.filter((_, index) => index % slices === slice).map(point => [point]),
            )
    }

    function* pairs(subject: Subject): Generator<SimulationJob> {
      for (const phase of phasesOf(subject))
        yield job(subject, phase, 'intermediate', ', two faults', points =>
          smallKinds.has(subject.kind) ? pairsOf(points) : sample(pairsOf(points), 60),
        )
    }

    function job(
      subject: Subject,
      phase: Phase,
      of: PointClass,
      name: string,
      choose: (points: readonly Point[]) => readonly (readonly Point[])[],
    ): SimulationJob {
      return {
        id: `${subject.name} ${phase.name}, ${of}${name}`,
        run: async () => {
          const record = await recorder
          const recorded = await record(subject, phase)
          return runAll(subject, of, recorded, choose(recorded.points(of)))
        },
      }
    }
  },
}

type Recorded = Awaited<ReturnType<ReturnType<typeof createPhaseRecorder>>>

const runAll = async (
  { kind }: Subject,
  of: PointClass,
  recorded: Recorded,
  runs: readonly (readonly Point[])[],
): Promise<JobResult> => {
  const results = []
  for (const points of runs) results.push(await recorded.run(points))
  const counts = { intermediate: 0, stale: 0, unobserved: 0, [of]: runs.length }
  return {
    kinds: [kind],
    runs: runs.length,
    points: counts,
    virtualMs: results.reduce((sum, { virtualMs }) => sum + virtualMs, 0),
    failures: results.flatMap(({ failure }) => failure ?? []),
  }
}

/** Pairs of faults at two exchanges. The second is counted from the start of the run, also after the first. */
const pairsOf = (points: readonly Point[]): readonly (readonly Point[])[] =>
  points.flatMap((one, index) =>
    points.slice(index + 1).flatMap(other => (one.at === other.at ? [] : [[one, other]])),
  )

const sample = <T>(all: readonly T[], count: number): readonly T[] => {
  const step = Math.max(all.length / count, 1)
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)] as T)
}
