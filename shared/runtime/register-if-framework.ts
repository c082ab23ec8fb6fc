import { createRequire } from 'node:module'
import type { FunctionDefinition } from './definition/definition.ts'
import { eventEndpoint } from './event-endpoint.ts'
import { patientConnections } from './start/patient-connections.ts'
import { startFailure, wireFunction } from './wire-function.ts'

const framework = '@google-cloud/functions-framework'

/**
 * Registers a function with the functions framework if this process is the framework's command line, with the
 * definition's file as `--source` and its name as `--target`. The first request waits until the function is ready. The
 * settings of the server (port, drain time, …) have no effect there: the framework drops work in flight at SIGTERM.
 * Ends the process if the function cannot start, because the framework would continue without it.
 *
 * Does nothing in any other process, and does not load the framework, because express is slow to load.
 */
export const registerIfFramework = (definition: FunctionDefinition): void => {
  const register = registerOfProgram()
  if (register === undefined) return
  patientConnections()
  const fail = (error: unknown): never => process.exit(startFailure(definition.name, error))
  try {
    const endpoint = wireFunction(definition, process.env).then(eventEndpoint).catch(fail)
    register(definition.name, async (request, response) => (await endpoint).answer(request, response))
  } catch (error) {
    fail(error)
  }
}

/**
 * Returns true if this process is the framework's command line. It serves its registered functions; no other host may.
 */
export const isFrameworkProcess = (): boolean => registerOfProgram() !== undefined

/** Returns the register function of the running program, or undefined if it is not the framework. */
const registerOfProgram = (): typeof import('@google-cloud/functions-framework').http | undefined => {
  const { main } = createRequire(`${process.cwd()}/`)
  if (!main?.filename?.replaceAll('\\', '/').includes(`/node_modules/${framework}/`)) return undefined
  // The program's own copy, because another copy has a separate registry.
  return createRequire(main.filename)(framework).http
}
