import type { SeedFunction } from '../../sandbox/seed/seed.ts'
import { providerOf } from '../../sandbox/seed/simulated-cloud.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import {
  type EventHandler,
  eventHandler,
  type FunctionPorts,
  parseSettings,
} from '../../shared/runtime/runtime.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'

/** A function with its settings, for the ports of a replay. */
export interface ChosenFunction extends Pick<FunctionDefinition, 'name' | 'kind'> {
  readonly provider: string
  readonly serve: (ports: FunctionPorts) => EventHandler
}

const ready = (definition: SeedFunction): ChosenFunction => {
  const { name, kind, settings: schema } = definition
  const values = parseSettings(schema, { env: {} })
  const provider = providerOf(definition)
  return { name, kind, provider, serve: ports => eventHandler(definition, values, ports) }
}

/**
 * Returns the function for an event: the named one, else the one of its kind, provider and class. Throws a `UsageError`
 * if none fits; `where` identifies the event and its file.
 */
export const chooseFunction = (
  functions: readonly SeedFunction[],
  event: ExtensionEvent,
  named: string | undefined,
  where: string,
): ChosenFunction => {
  const names = functions.map(({ name }) => name).join(', ')
  if (named !== undefined && !functions.some(({ name }) => name === named))
    throw new UsageError(`unknown function ${named}; known functions: ${names}`)
  const ofKind = functions.filter(
    fn =>
      fn.kind === event.kind &&
      (named === undefined ? routedTypes(fn).includes(event.provider) : fn.name === named),
  )
  // A function for another class ignores the object, and says so itself.
  const fits =
    ofKind.find(({ classes }) => classes.some(extensionClass => extensionClass === event.extclass)) ??
    ofKind[0]
  if (fits !== undefined) return ready(fits)
  throw new UsageError(
    named === undefined
      ? `${where}: no function serves kind ${event.kind} and provider ${event.provider}; known functions: ${names}`
      : `${where}: the function ${named} does not serve kind ${event.kind}`,
  )
}
