import type { FunctionDefinition } from './definition/definition.ts'
import { serveFunction } from './host.ts'
import { processSettingsOf } from './process-settings.ts'
import { printableSettings } from './settings.ts'
import { closeOnTermination } from './termination.ts'
import { startFailure, wireFunction } from './wire-function.ts'

/**
 * The process of a function in our own host. Ends at SIGTERM once the work in flight is done. Settings that cannot be
 * used end it with code 2 and one line, anything else that keeps it from starting with code 1.
 */
export const bootFunction = async (definition: FunctionDefinition): Promise<void> => {
  try {
    await serve(definition)
  } catch (error) {
    process.exitCode = startFailure(definition.name, error)
  }
}

const serve = async (definition: FunctionDefinition): Promise<void> => {
  const wired = await wireFunction(definition, process.env)
  const host = await serveFunction(wired)
  wired.log.info('function serves', {
    url: host.url,
    settings: printableSettings(processSettingsOf(definition), wired.settings),
  })
  closeOnTermination(host.close)
}
