import {
  compareChanges,
  contentOf,
  createObjectTexts,
  type SimulatedCode,
  simulate,
  type WorldBackup,
  type WorldContent,
} from '../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { SimulationFailure } from '../simulation-set.ts'
import { type BaseWorlds, createBaseWorlds } from './base-worlds.ts'
import { type Point, type PointClass, type Recording, recordPoints } from './faults-of.ts'
import { type Phase, phasesOf } from './phases.ts'
import { type PhaseResult, type PhaseRun, playPhase } from './play-phase.ts'
import type { Subject } from './subjects.ts'

/** A phase that was run without faults. */
export interface RecordedPhase {
  readonly broken: readonly string[]
  points(of: PointClass): readonly Point[]
  /** Runs the phase with the faults of these points. */
  run(points: readonly Point[]): Promise<{ readonly failure?: SimulationFailure; readonly virtualMs: number }>
}

/** Time that a phase may take beyond that of the run without faults, in ms. */
const boundMs = 1_800_000

/** The longest phase without faults, in ms. */
const longestMs = 3_600_000

/** Records phases, each once, after those before it. */
export const createPhaseRecorder = (code: SimulatedCode) => {
  const openBases = createBaseWorlds(code)
  const ended = new Map<string, Promise<Ended>>()

  const contentAt = (bases: BaseWorlds, from: WorldBackup): Promise<WorldContent> =>
    simulate({ seed: 'content', code, cloud: bases.cloud, delivery: 'in-memory', from }, async ({ cloud }) =>
      contentOf(from, cloud.contents(), texts),
    )
  const texts = createObjectTexts()

  const play = async (subject: Subject, phase: Phase, from: WorldBackup, state?: unknown): Promise<Ended> => {
    const bases = await openBases(subject.cloud)
    const recording = recordPoints()
    const run: PhaseRun = {
      code,
      bases,
      id: `${subject.name} ${phase.name}`,
      phase,
      desired: subject.of(bases.complete),
      state,
      from,
      content: await contentAt(bases, from),
      texts,
      boundMs: longestMs,
    }
    const result = await playPhase({ ...run, interference: recording.interference }, true)
    return { run: { ...run, boundMs: result.endedMs + boundMs }, result, recording }
  }
  const endOf = (subject: Subject, phase: Phase): Promise<Ended> => {
    const id = `${subject.name} ${phase.name}`
    const known = ended.get(id) ?? playAfterOthers(subject, phase)
    ended.set(id, known)
    return known
  }
  const playAfterOthers = async (subject: Subject, phase: Phase): Promise<Ended> => {
    const bases = await openBases(subject.cloud)
    const phases = phasesOf(subject)
    const before = phases.find(({ name }) => name === phase.after)
    if (before?.name === 'migrate') {
      const former = await endOf(subject, phases[0] as Phase)
      return play(subject, phase, backupOf(await endOf(subject, before)), stateOf(subject, former))
    }
    if (before !== undefined) return play(subject, phase, backupOf(await endOf(subject, before)))
    if (subject.base === 'before') return play(subject, phase, bases.before)
    const removal = phases.find(({ name }) => name === 'delete')
    if (removal === undefined) throw new TypeError(`${subject.name} is never deleted`)
    const gone = await play(subject, { ...removal, name: 'removal' }, bases.after)
    return play(subject, phase, backupOf(gone))
  }

  return async (subject: Subject, phase: Phase): Promise<RecordedPhase> => {
    const { run, result, recording } = await endOf(subject, phase)
    return {
      broken: result.broken,
      points: recording.points,
      run: async points => {
        const interference = joined(points)
        const outcome = await playPhase({ ...run, interference: interference() })
        const broken = judge(run, result, outcome)
        const { virtualMs } = outcome
        if (broken.length === 0) return { virtualMs }
        const { trace } = await playPhase({ ...run, interference: interference(), traced: true })
        return {
          virtualMs,
          failure: {
            what: `${run.id}, ${points.map(({ id }) => id).join(' and ')}`,
            broken: broken.slice(0, 12),
            trace: trace.slice(-60),
          },
        }
      },
    }
  }
}

interface Ended {
  readonly run: PhaseRun
  readonly result: PhaseResult
  readonly recording: Recording
}

const backupOf = ({ run, result: { backup, broken } }: Ended): WorldBackup => {
  if (backup === undefined || broken.length > 0)
    throw new Error(`${run.id} without faults: ${broken.join('\n')}`)
  return backup
}

const judge = (run: PhaseRun, expected: PhaseResult, actual: PhaseResult): readonly string[] =>
  actual.broken.length > 0 ? actual.broken : compareChanges(run.content, expected.changes, actual.changes)

const joined = (points: readonly Point[]) => () => {
  const all = points.map(({ interference }) => interference())
  const [first = {}] = all
  if (all.length < 2) return first
  return {
    ...first,
    fate: (...of: Parameters<NonNullable<(typeof first)['fate']>>) => {
      for (const { fate } of all) {
        const found = fate?.(...of)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

const stateOf = ({ kind }: Subject, ended: Ended): unknown => {
  const { key } = ended.run.desired
  const { resource } = kinds[kind]
  const revision = backupOf(ended)
    .first.objects.get(`${resource.plural}.${resource.group}`)
    ?.get(key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`)
  return Object(Object(revision?.object).status).state
}
