import type { FunctionDefinition } from './definition/definition.ts'
import type { SourcePlace } from './definition/definition-error.ts'
import { serveFunctions } from './host.ts'
import { prepareProcess } from './prepare-process.ts'
import { processSettingsOf } from './process-settings.ts'
import { reportPort } from './report-port.ts'
import { printableSettings } from './settings.ts'
import { closeOnTermination } from './termination.ts'
import { startFailure, wireFunction } from './wire-function.ts'

/**
 * Runs the process of one function. On SIGTERM it ends once the work in flight is done. Exits with code
 * 2 and one line if the settings are invalid, with code 1 if anything else prevents the start.
 *
 * @param placeOf returns the place in the author's code that an error comes from; the line begins with it
 */
export const bootFunction = async (
  definition: FunctionDefinition,
  placeOf: (error: unknown) => SourcePlace | undefined = () => undefined,
): Promise<void> => {
  prepareProcess({ survivesFullDisk: true })
  try {
    await serve(definition)
  } catch (error) {
    process.exitCode = startFailure(definition.name, error, placeOf(error))
  }
}

const serve = async (definition: FunctionDefinition): Promise<void> => {
  const wired = await wireFunction(definition, process.env)
  const host = await serveFunctions(wired)
  wired.log.info('function serves', {
    url: host.url,
    settings: printableSettings(processSettingsOf(definition), wired.settings),
  })
  wired.reports.serves()
  closeOnTermination(async () => {
    await host.close()
    await wired.reports.close()
  })
  reportPort(host.port)
}
