import type { Clock } from '../../shared/clock/clock.ts'
import type { DeclaredHealth } from '../../shared/contract/health.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { ownHealthOf } from '../../shared/health/health.ts'
import {
  connectTo,
  type ProgramProcess,
  type ProgramStarter,
  type RunnerEvent,
} from '../../shared/runner/runner.ts'
import { functionService } from '../../shared/runtime/runtime.ts'
import type { FunctionChange } from './activator.ts'
import { type InProcessOptions, inProcessTogether } from './in-process-functions.ts'
import type { SeedFunction } from './seed-function.ts'
import { providerOf } from './simulated-cloud.ts'

/**
 * Returns the programs of a seed process that hosts these functions, as its settings: one program for each provider.
 */
const programsOf = (functions: readonly SeedFunction[]): string =>
  JSON.stringify(
    [...Map.groupBy(functions, providerOf)].map(([provider, own]) => ({
      name: `${provider}-compact`,
      functions: own.map(({ name, kind, types, classes, service }) => ({
        ...{ name, kind, types, classes },
        concurrency: functionService(service).concurrency.value,
      })),
    })),
  )

/** A process that never ends by itself lives for this time at least. */
const longMs = 3_600_000

/** Returns the settings of a bridge that hosts these functions. `idleMs` undefined: they never end. */
export const runnerFlags = (functions: readonly SeedFunction[], idleMs = longMs) => ({
  programs: programsOf(functions),
  programIdleMs: idleMs,
})

/** The objects that the bridge of a seed watches, besides the health of its functions. */
export interface WatchedOptions {
  /** The health of functions that `host` adds later. Default: none. */
  readonly health?: readonly DeclaredHealth[]
  /** Kinds that the bridge watches. Default: all. */
  readonly kinds?: readonly KindName[]
}

/** Returns the settings of a bridge that name what it watches. */
export const watchedFlags = ({
  functions,
  health = [],
  kinds,
}: WatchedOptions & { readonly functions: readonly SeedFunction[] }) => ({
  health: JSON.stringify([...ownHealthOf(functions), ...health]),
  ...(kinds && { kinds: kinds.join(',') }),
})

/** Starts the programs of these functions in this process. */
export const inProcessStarter = ({
  functions,
  optionsOf,
  clock,
}: {
  readonly functions: readonly SeedFunction[]
  readonly optionsOf: (fn: SeedFunction) => InProcessOptions
  readonly clock: Clock
}): ProgramStarter => ({
  missing: async () => undefined,
  start: async (program): Promise<ProgramProcess> => {
    const together = functions.filter(({ name }) => program.functions.some(fn => fn.name === name))
    const [first] = together
    if (first === undefined) throw new Error(`the sandbox has no functions of ${program.name}`)
    const running = await inProcessTogether(together, optionsOf(first))
    const ended = Promise.withResolvers<string>()
    return {
      ...connectTo(running.url, clock),
      pid: undefined,
      ended: ended.promise,
      stop: () => void running.close().then(() => ended.resolve('closed')),
      // It has no memory of its own.
      memory: () => 0,
    }
  },
})

/** Returns the change of a function that an event of the runner means, if any. */
export const changeOf = (event: RunnerEvent): FunctionChange | undefined => {
  if (event.type === 'started') return 'woke'
  if (event.type !== 'ended') return undefined
  return event.reason === 'crashed' ? 'died' : 'slept'
}
