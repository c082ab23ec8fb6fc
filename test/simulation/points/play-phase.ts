import { createExtensionObjects } from '../../../sandbox/gardenlet/gardenlet.ts'
import {
  changesBetween,
  contentOf,
  type Exchange,
  type Fate,
  type ObjectTexts,
  type SimulatedCode,
  type SimulatedSeedOptions,
  simulate,
  type World,
  type WorldBackup,
  type WorldChanges,
  type WorldContent,
} from '../../../sandbox/simulation/simulation.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { BaseWorlds } from './base-worlds.ts'
import type { Phase, Stage } from './phases.ts'

/** Called with everything at which a fault can be injected. */
export interface Interference {
  /** Decides the fate of the n-th exchange of the run, from 0. */
  fate?(process: string, exchange: Exchange, n: number): Fate | undefined
  readonly transportOf?: SimulatedSeedOptions['transportOf']
  /** Called when the world is open, before its processes work. */
  opened?(world: World): void
}

export interface PhaseRun {
  readonly code: SimulatedCode
  readonly bases: BaseWorlds
  readonly id: string
  readonly phase: Phase
  readonly desired: Stage['desired']
  readonly state: unknown
  readonly from: WorldBackup
  readonly content: WorldContent
  readonly texts: ObjectTexts
  /** The phase must end within this virtual time, in ms. */
  readonly boundMs: number
  readonly interference?: Interference
  readonly traced?: boolean
}

export interface PhaseResult {
  /** Broken promises that need no comparison. */
  readonly broken: readonly string[]
  readonly changes: WorldChanges
  readonly end: WorldContent
  /** The world at the end of the phase. */
  readonly backup: WorldBackup | undefined
  /** Virtual time until the phase ended, in ms. */
  readonly endedMs: number
  readonly virtualMs: number
  readonly trace: readonly string[]
}

/** Claims of killed steps have expired, and late events were answered. */
const restMs = 100_000
const shortRestMs = 120_000
const hourMs = 3_600_000

/** Runs one phase of an object from a stored world. The first run of a phase has no fault, and an hour at rest. */
export const playPhase = async (run: PhaseRun, isFirst = false): Promise<PhaseResult> => {
  const { code, bases, phase, from, interference = {}, boundMs } = run
  let exchanges = 0
  let reopen = (): void => {}
  const fates =
    ({ clock }: { readonly clock: World['clock'] }) =>
    (process: string, exchange: Exchange): Fate => {
      const fate = interference.fate?.(process, exchange, exchanges++) ?? pass
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
        coldMs: () => 1,
        ...(interference.transportOf && { transportOf: interference.transportOf }),
      },
    },
    async world => {
      const { clock, first, trace } = world
      reopen = () => first.restart(0)
      interference.opened?.(world)
      const began = clock.now()
      await clock.sleep(1_000)
      const limit = new AbortController()
      const cancel = clock.after(boundMs, () => limit.abort())
      const objects = createExtensionObjects({
        kubernetes: first.kubernetes,
        clock,
        signal: limit.signal,
        pollMs: 1_000,
      })
      const broken: string[] = []
      const { desired, state } = run
      try {
        await phase.act({ world, objects, desired, state, namespace: bases.namespace })
      } catch (error) {
        broken.push(messageOf(error))
      }
      cancel()
      const endedMs = clock.now() - began
      if (broken.length === 0) {
        await clock.sleep(restMs)
        const atRest = await contentHere(world, run.texts)
        await clock.sleep(shortRestMs)
        broken.push(...changesAtRest(atRest, await contentHere(world, run.texts)))
        broken.push(...stillWaiting(world))
      }
      const end = await contentHere(world, run.texts)
      const backup = isFirst ? await world.backUp() : undefined
      if (isFirst) {
        // An object may be due again within the hour.
        const own = `${desired.key.namespace ?? ''}/${desired.key.name} `
        await clock.sleep(hourMs)
        const later = changesAtRest(end, await contentHere(world, run.texts))
        broken.push(...later.filter(change => !change.includes(own)))
      }
      return {
        broken,
        changes: changesBetween(run.content, end),
        end,
        backup,
        endedMs,
        virtualMs: clock.now() - began,
        trace: trace.lines(),
      }
    },
  )
}

const changesAtRest = (before: WorldContent, after: WorldContent): readonly string[] =>
  changesBetween(before, after).map(change => `changed at rest: ${change}`)

const stillWaiting = ({ first }: World): readonly string[] =>
  first
    .bridges()
    .flatMap(({ bridge }) => bridge.waiting())
    .filter(({ why }) => why !== 'due later')
    .map(row => `still waiting: ${JSON.stringify(row)}`)

const pass: Fate = { kind: 'pass' }

const contentHere = async (world: World, texts: ObjectTexts): Promise<WorldContent> =>
  contentOf(
    { first: world.first.server.backUp(), shoots: await shootsOf(world) },
    world.cloud.contents(),
    texts,
  )

const shootsOf = async ({ shoots }: World): Promise<WorldBackup['shoots']> =>
  new Map(
    await Promise.all(
      shoots.namespaces().map(async name => [name, (await shoots.open(name)).server.backUp()] as const),
    ),
  )
