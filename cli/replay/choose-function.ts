import { functions as registered } from '../../functions/registry.ts'
import type { SeedFunction } from '../../sandbox/seed/seed-function.ts'
import { providerOf } from '../../sandbox/seed/simulated-cloud.ts'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import type { ExtensionFunction } from '../../shared/runtime/extension-function.ts'
import { parseSettings } from '../../shared/runtime/settings.ts'
import { UsageError } from '../exit-code.ts'

/** A function with its settings, ready for the ports of a replay. */
export interface ChosenFunction {
  readonly name: string
  readonly provider: string
  readonly create: (deps: { readonly clock: Clock; readonly connection: unknown }) => ExtensionFunction
}

/** A replay spares no account: rate limits would only make it wait. */
const settings: Readonly<Record<string, unknown>> = { clientQps: 1_000, clientBurst: 1_000 }

const ready = ({ name, folder, settings: schema, create }: SeedFunction): ChosenFunction => {
  const known = Object.fromEntries(Object.entries(settings).filter(([key]) => key in schema.shape))
  const values = parseSettings(schema, { flags: known, env: {} })
  // The function's own schema has just parsed its settings, and the connection is its own provider's.
  return {
    name,
    provider: providerOf({ folder }),
    create: ({ clock, connection }) => create(values as never, { clock, connection: connection as never }),
  }
}

/** Enough to ask a function what it is for. */
const unconnected = {
  clock: systemClock,
  connection: { requestHandler: { handle: () => Promise.reject(new Error('not connected')) } },
}

/**
 * The function for an event: the one that is named, else the one of its kind and provider. Throws a `UsageError` when
 * there is none; `where` says which event of which file.
 */
export const chooseFunction = (
  event: ExtensionEvent,
  named: string | undefined,
  where: string,
  functions: readonly SeedFunction[] = registered,
): ChosenFunction => {
  const all = functions.map(ready)
  const names = all.map(({ name }) => name).join(', ')
  if (named !== undefined && !all.some(({ name }) => name === named)) {
    throw new UsageError(`there is no function ${named}; there are ${names}`)
  }
  const fits = all.find(({ name, create }) => {
    const { kind, type } = create(unconnected)
    return kind === event.kind && (named === undefined ? type === event.provider : name === named)
  })
  if (fits !== undefined) return fits
  throw new UsageError(
    named === undefined
      ? `${where}: no function for kind ${event.kind} and provider ${event.provider}; there are ${names}`
      : `${where}: the function ${named} is not for kind ${event.kind}`,
  )
}
