import type { FunctionDefinition } from './definition/definition.ts'
import type { SourcePlace } from './definition/definition-error.ts'
import { serveFunction } from './host.ts'
import { processSettingsOf } from './process-settings.ts'
import { printableSettings } from './settings.ts'
import { closeOnTermination } from './termination.ts'
import { startFailure, wireFunction } from './wire-function.ts'

/**
 * The process of a function in our own host. Ends at SIGTERM once the work in flight is done. Settings that cannot be
 * used end it with code 2 and one line, anything else that keeps it from starting with code 1.
 *
 * @param placeOf where in the author's code an error comes from, which the line then begins with
 */
export const bootFunction = async (
  definition: FunctionDefinition,
  placeOf: (error: unknown) => SourcePlace | undefined = () => undefined,
): Promise<void> => {
  try {
    await serve(definition)
  } catch (error) {
    process.exitCode = startFailure(definition.name, error, placeOf(error))
  }
}

const serve = async (definition: FunctionDefinition): Promise<void> => {
  const wired = await wireFunction(definition, process.env)
  const host = await serveFunction(wired)
  wired.log.info('function serves', {
    url: host.url,
    settings: printableSettings(processSettingsOf(definition), wired.settings),
  })
  wired.reports.serves()
  closeOnTermination(async () => {
    await host.close()
    await wired.reports.close()
  })
}
