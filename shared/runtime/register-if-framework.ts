import { createRequire } from 'node:module'
import type { FunctionDefinition } from './definition/definition.ts'
import { type RegisterCloudEvent, registerWithFramework } from './framework.ts'
import { startFailure, wireFunction } from './wire-function.ts'

const framework = '@google-cloud/functions-framework'

/**
 * Registers a function with the functions framework when this process is the framework's command line, whose `--source`
 * is the file of the definition and whose `--target` is its name. The settings of the host (port, drain time, …) mean
 * nothing there. Ends the process when the function cannot start: the framework would go on without it.
 *
 * Elsewhere nothing happens, and the framework is not loaded: express takes its time.
 */
export const registerIfFramework = (definition: FunctionDefinition): void => {
  const register = registerOfProgram()
  if (register === undefined) return
  const fail = (error: unknown): never => process.exit(startFailure(definition.name, error))
  try {
    const wired = wireFunction(definition, process.env).catch(fail)
    registerWithFramework(register, definition.name, wired)
  } catch (error) {
    fail(error)
  }
}

/** Whether this process is the framework's command line, which serves what is registered with it: nobody else shall. */
export const isFrameworkProcess = (): boolean => registerOfProgram() !== undefined

/** How the program that this process runs registers functions; undefined when it is not the framework's. */
const registerOfProgram = (): RegisterCloudEvent | undefined => {
  const { main } = createRequire(`${process.cwd()}/`)
  if (!main?.filename?.replaceAll('\\', '/').includes(`/node_modules/${framework}/`)) return undefined
  // The program's own copy: another one has a registry of its own.
  return createRequire(main.filename)(framework).cloudEvent
}
