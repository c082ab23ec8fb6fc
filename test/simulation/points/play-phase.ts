import { createExtensionObjects } from '../../../sandbox/gardenlet/gardenlet.ts'
import {
  changedRows,
  compareWorlds,
  type ObjectRows,
  type RowReader,
  rowText,
  type WorldRow,
} from '../../../sandbox/simulation/oracle/oracle.ts'
import {
  broken as brokenInvariant,
  type Exchange,
  type Fate,
  type SimulatedCode,
  type SimulatedSeedOptions,
  simulate,
  type World,
  type WorldBackup,
} from '../../../sandbox/simulation/simulation.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { BaseWorlds } from './base-worlds.ts'
import type { Phase, Stage } from './phases.ts'
import { remainders } from './remainders.ts'

/** Called with everything at which a fault can be injected. */
export interface Interference {
  /** Decides the fate of the n-th exchange of the run, from 0. */
  fate?(process: string, exchange: Exchange, n: number): Fate | undefined
  readonly transportOf?: SimulatedSeedOptions['transportOf']
  /** Called when the world is open, before its processes work. `strike`: to be called when a fault begins. */
  opened?(world: World, strike: () => void): void
  /** Called when the phase has ended, and only the time at rest follows. */
  ended?(): void
  /** Returns true while processes do not see the present: they may find work later. */
  isLate?(): boolean
}

export interface PhaseRun {
  readonly code: SimulatedCode
  readonly bases: BaseWorlds
  readonly id: string
  readonly phase: Phase
  readonly desired: Stage['desired']
  readonly state: unknown
  readonly from: WorldBackup
  /** The rows of `from`. */
  readonly before: readonly WorldRow[]
  /** Returns an equal row of `before` for a row, if there is one. */
  readonly sameAsBefore: (row: WorldRow) => WorldRow
  readonly rowsOf: ObjectRows
  readonly reader: RowReader
  /** The phase must end within this virtual time, in ms. */
  readonly boundMs: number
  readonly interference?: Interference
  readonly traced?: boolean
  /** Nothing happens for this time before the world is judged, in ms. */
  readonly quietMs: number
  /** Virtual time after that in which nothing may be written, in ms. */
  readonly restMs: number
  /** The world at the end of the phase is needed. */
  readonly isBase?: boolean
}

export interface PhaseResult {
  /** Broken promises that need no comparison. */
  readonly broken: readonly string[]
  readonly changes: readonly WorldRow[]
  /** The world at the end of the phase. */
  readonly backup: WorldBackup | undefined
  /** Virtual time until the phase ended, in ms. */
  readonly endedMs: number
  readonly virtualMs: number
  readonly trace: readonly string[]
}

/** Factor on the durations of machines. Each attempt of a Worker that waits for them is the same. */
const machineScale = 0.2

export const hourMs = 3_600_000

/** Runs one phase of an object from a stored world, and then some time without a fault. */
export const playPhase = async (run: PhaseRun): Promise<PhaseResult> => {
  const { code, bases, phase, from, interference = {}, boundMs, restMs } = run
  let exchanges = 0
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>()
  let reopen = (): void => {}
  const fates =
    ({ clock }: { readonly clock: World['clock'] }) =>
    (process: string, exchange: Exchange): Fate => {
      const fate = interference.fate?.(process, exchange, exchanges++) ?? pass
      if (fate.kind !== 'pass') strike()
      if (fate.kind === 'crash') clock.after(1_000, () => reopen())
      return fate
    }
  return simulate(
    {
      seed: run.id,
      code,
      cloud: bases.cloud,
      delivery: 'in-memory',
      from,
      fates,
      trace: { retained: run.traced ? 400 : 0 },
      ofSeeds: {
        bridges: 1,
        instances: 1,
        leaseTimes: 'none',
        machineScale,
        coldMs: () => 1,
        ...(interference.transportOf && { transportOf: interference.transportOf }),
      },
    },
    async world => {
      const { clock, first, trace } = world
      reopen = () => first.restart(0)
      interference.opened?.(world, strike)
      const began = clock.now()
      await clock.sleep(1_000)
      const limit = new AbortController()
      const cancel = clock.after(boundMs, () => limit.abort())
      const objects = createExtensionObjects({
        kubernetes: first.kubernetes,
        clock,
        signal: limit.signal,
        pollMs: 5_000,
      })
      const broken: string[] = []
      const { desired, state } = run
      try {
        await phase.act({ world, objects, desired, state, struck, namespace: bases.namespace })
      } catch (error) {
        broken.push(brokenInvariant('every wait has a reason, every operation an end', messageOf(error)))
      }
      cancel()
      const endedMs = clock.now() - began
      if (broken.length === 0) broken.push(...(await untilQuiet(world, run)))
      const end = contentHere(world, run)
      const backup = run.isBase ? world.backUp() : undefined
      interference.ended?.()
      if (broken.length === 0) {
        if (phase.leavesNothing)
          broken.push(
            ...compareWorlds(end, run.before, { exceptions: remainders }).map(difference =>
              brokenInvariant('nothing is left', difference),
            ),
          )
        await clock.sleep(restMs)
        const changes = changedRows(end, contentHere(world, run), run.reader)
        // An object may be due again within the hour.
        const own = `${desired.key.namespace ?? ''}/${desired.key.name} `
        const isDue = (row: WorldRow) => restMs >= hourMs && rowText(row).includes(own)
        broken.push(
          ...changes.filter(row => !isDue(row)).map(row => brokenInvariant('idle means idle', rowText(row))),
        )
        broken.push(...stillWaiting(world))
      }
      broken.push(...world.broken())
      return {
        broken,
        changes: changedRows(run.before, end, run.reader),
        backup,
        endedMs,
        virtualMs: clock.now() - began,
        trace: trace.lines(),
      }
    },
  )
}

/** Waits until the bridge has no work and nothing was written for a time. Returns the work that never ends. */
const untilQuiet = async (
  world: World,
  { boundMs, quietMs, interference }: PhaseRun,
): Promise<readonly string[]> => {
  const { clock, first } = world
  const limit = clock.now() + boundMs
  let changedAt = clock.now()
  const stop = first.server.store.subscribe(() => {
    changedAt = clock.now()
  })
  const isQuiet = () => stillWaiting(world).length === 0 && clock.now() - changedAt >= quietMs
  while (!isQuiet() && clock.now() < limit) {
    await clock.sleep(1_000)
    if (interference?.isLate?.()) changedAt = clock.now()
  }
  stop()
  return stillWaiting(world)
}

const stillWaiting = ({ first }: World): readonly string[] =>
  first
    .bridges()
    .flatMap(({ bridge }) => bridge.waiting())
    .filter(({ why }) => why !== 'due later')
    .map(row =>
      brokenInvariant(
        'every wait has a reason, every operation an end',
        `still waiting: ${JSON.stringify(row)}`,
      ),
    )

const pass: Fate = { kind: 'pass' }

const contentHere = (
  { cloud, first, shoots }: World,
  { rowsOf, sameAsBefore }: PhaseRun,
): readonly WorldRow[] =>
  contentOf(
    cloud.contents().map(sameAsBefore),
    { first: first.server.backUp(), shoots: shoots.backUp() },
    rowsOf,
  )

/** A cloud creates its rows for each reader. Equal ones of two readers need no comparison. */
export const equalRows = (before: readonly WorldRow[]): PhaseRun['sameAsBefore'] => {
  const known = new Map(before.map(row => [JSON.stringify(row), row]))
  return row => known.get(JSON.stringify(row)) ?? row
}

/** Returns the rows of a world: its cloud, its seed, and its shoots. */
export const contentOf = (
  cloud: readonly WorldRow[],
  { first, shoots }: Pick<WorldBackup, 'first' | 'shoots'>,
  rowsOf: ObjectRows,
): readonly WorldRow[] => [
  ...cloud,
  ...rowsOf('seed', first),
  ...[...shoots].flatMap(([namespace, backup]) => rowsOf(`shoot ${namespace}`, backup)),
]
