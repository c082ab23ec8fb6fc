import {
  createObjectRows,
  createRowReader,
  expectWorld,
  generatedNames,
  type IsKnown,
  inEachRow,
  type WorldException,
  type WorldRow,
  worldExceptions,
} from '../../../sandbox/simulation/oracle/oracle.ts'
import {
  broken as brokenInvariant,
  type Fate,
  type SimulatedCode,
  simulate,
  type WorldBackup,
} from '../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { BrokenWorld, type SimulationFailure } from '../simulation-set.ts'
import { type BaseWorlds, createBaseWorlds } from './base-worlds.ts'
import { type Point, type PointClass, type Recording, recordPoints } from './faults-of.ts'
import { type Phase, phasesOf } from './phases.ts'
import {
  contentOf,
  equalRows,
  hourMs,
  type Interference,
  type PhaseResult,
  type PhaseRun,
  playPhase,
} from './play-phase.ts'
import type { Subject } from './subjects.ts'

/** A phase that was run without faults. */
export interface RecordedPhase {
  /** The phase fails without a fault. */
  readonly failure: PointResult | undefined
  points(of: PointClass): readonly Point[]
  /** Runs the phase with the faults of these points, and with time at rest afterwards. */
  run(points: readonly Point[], restMs?: number): Promise<PointResult>
}

export interface PointResult {
  readonly failure?: SimulationFailure
  readonly virtualMs: number
  /** Returns the points of this run, also those that only its faults have. */
  points(of: PointClass): readonly Point[]
}

const exceptions: readonly WorldException[] = [
  ...worldExceptions,
  {
    why: 'a condition that begins to fail is progressing for some time, and then false',
    rows: inEachRow(row => {
      const { status, ...object } = Object(row.value)
      return status?.conditions?.some(isProgressing)
        ? { ...row, value: { ...object, status: { ...status, conditions: status.conditions.map(judged) } } }
        : row
    }),
  },
]

/** The last exception: it sees what the others leave. */
const noChange: WorldException = {
  why: 'a row that differs only in what other exceptions permit has not changed',
  rows: rows => {
    const texts = new Set(rows.map(row => JSON.stringify([row.place, row.value])))
    return rows.filter(({ place, value }) => {
      const other = place.startsWith('+ ') ? place.replace('+', '-') : place.replace('-', '+')
      return other === place || !texts.has(JSON.stringify([other, value]))
    })
  },
}

const isProgressing = (condition: object): boolean => Object(condition).status === 'Progressing'

const judged = (condition: object): object =>
  isProgressing(condition) ? { ...condition, status: 'False', reason: 'HealthCheckUnsuccessful' } : condition

/** Between the last write and the judgement: the work of all functions has ended. */
const quietMs = 10_000

/** The same after two faults: a failed object whose check is lost twice is checked again after a minute. */
const longQuietMs = 65_000

/** A short time at rest: late events have been delivered again. */
const shortRestMs = 60_000

/** Time that a phase may take beyond that of the run without faults, in ms. */
const boundMs = 1_800_000

/** The longest phase without faults, in ms. */
const longestMs = 3_600_000

/** Records phases, each once, after those before it. */
export const createPhaseRecorder = (code: SimulatedCode) => {
  const openBases = createBaseWorlds(code)
  const ended = new Map<string, Promise<Ended>>()

  const contentAt = (bases: BaseWorlds, from: WorldBackup): Promise<readonly WorldRow[]> =>
    simulate({ seed: 'content', code, cloud: bases.cloud, delivery: 'in-memory', from }, async ({ cloud }) =>
      contentOf(cloud.contents(), from, rowsOf),
    )
  const rowsOf = createObjectRows()
  const reader = createRowReader()

  const play = async (subject: Subject, phase: Phase, from: WorldBackup, state?: unknown): Promise<Ended> => {
    const bases = await openBases(subject.cloud)
    const recording = recordPoints()
    const before = await contentAt(bases, from)
    const run: PhaseRun = {
      code,
      bases,
      id: `${subject.name} ${phase.name}`,
      phase,
      desired: subject.of(bases.complete),
      state,
      from,
      before,
      sameAsBefore: equalRows(before),
      rowsOf,
      reader,
      boundMs: longestMs,
      quietMs,
      restMs: hourMs,
    }
    const result = await playPhase({ ...run, interference: recording.interference, isBase: true })
    let names: ReadonlySet<string> | undefined
    const isKnown: IsKnown = name => {
      names ??= generatedNames(run.before, reader)
      return names.has(name)
    }
    return {
      run: { ...run, boundMs: result.endedMs + boundMs },
      result,
      recording,
      differences: expectWorld(result.changes, {
        isKnown,
        exceptions: [...exceptions, ...bases.exceptions, noChange],
        reader,
      }),
    }
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
    const { others = objects => objects } = subject
    if (subject.base === 'before')
      return play(subject, phase, { ...bases.before, first: others(bases.before.first) })
    const removal = phases.find(({ name }) => name === 'delete')
    if (removal === undefined) throw new TypeError(`${subject.name} is never deleted`)
    const gone = await play(subject, { ...removal, name: 'removal' }, bases.after)
    return play(subject, phase, withoutControllers(subject, backupOf(gone)))
  }

  return async (subject: Subject, phase: Phase): Promise<RecordedPhase> => {
    const { run, result, recording, differences } = await endOf(subject, phase)
    return {
      failure:
        result.broken.length === 0
          ? undefined
          : {
              virtualMs: result.virtualMs,
              points: recording.points,
              failure: { what: `${run.id}, without a fault`, broken: result.broken, trace: [] },
            },
      points: recording.points,
      run: async (points, restMs = shortRestMs) => {
        const play = (recorded: Recording, isTraced: boolean) => {
          const interference = joined([recorded.interference, ...points.map(point => point.interference())])
          return playPhase({
            ...run,
            quietMs: points.length > 1 ? longQuietMs : quietMs,
            restMs,
            interference,
            traced: isTraced,
          })
        }
        const recorded = recordPoints()
        const outcome = await play(recorded, false)
        const broken =
          outcome.broken.length > 0 || run.phase.leavesNothing
            ? outcome.broken
            : differences(outcome.changes).map(difference =>
                brokenInvariant('the live state is the wanted one', difference),
              )
        const { virtualMs } = outcome
        if (broken.length === 0) return { virtualMs, points: recorded.points }
        const { trace } = await play(recordPoints(), true)
        return {
          virtualMs,
          points: recorded.points,
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
  /** Compares changes with those of the run without faults. */
  readonly differences: ReturnType<typeof expectWorld>
}

const backupOf = ({ run, result: { backup, broken } }: Ended): WorldBackup => {
  if (backup === undefined || broken.length > 0) throw new BrokenWorld(run.id, broken)
  return backup
}

/** At most one of them may change the way to the API server. */
const joined = (all: readonly Interference[]): Interference => {
  const transportOf = all.find(one => one.transportOf)?.transportOf
  return {
    fate: (...of) => {
      let found: Fate | undefined
      for (const { fate } of all) found ??= fate?.(...of)
      return found
    },
    ...(transportOf && { transportOf }),
    opened: (world, strike) => {
      for (const { opened } of all) opened?.(world, strike)
    },
    ended: () => {
      for (const { ended } of all) ended?.()
    },
    isLate: () => all.some(one => one.isLate?.()),
  }
}

/** Removes the objects of others with which a controller would begin. They are no part of the object's life. */
const withoutControllers = ({ kind }: Subject, { first, ...backup }: WorldBackup): WorldBackup => ({
  ...backup,
  first: {
    ...first,
    objects: new Map(
      [...first.objects].map(([resource, entries]) => [
        resource,
        /^managedresources\./.test(resource) ||
        (kind !== 'Worker' && /\.machine\.sapcloud\.io$/.test(resource))
          ? new Map()
          : entries,
      ]),
    ),
  },
})

const stateOf = ({ kind }: Subject, ended: Ended): unknown => {
  const { key } = ended.run.desired
  const { resource } = kinds[kind]
  const revision = backupOf(ended)
    .first.objects.get(`${resource.plural}.${resource.group}`)
    ?.get(key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`)
  return Object(Object(revision?.object).status).state
}
