import type * as z from 'zod'
import { serveFunction } from './host.ts'
import { printableSettings } from './settings.ts'
import { closeOnTermination } from './termination.ts'
import { type FunctionProgram, startFailure, wireFunction } from './wire-function.ts'

/**
 * The process of a function in our own host. Ends at SIGTERM once the work in flight is done. Settings that cannot be
 * used end it with code 2 and one line, anything else that keeps it from starting with code 1.
 */
export const bootFunction = async <S extends z.ZodObject>(program: FunctionProgram<S>): Promise<void> => {
  try {
    await serve(program)
  } catch (error) {
    process.exitCode = startFailure(program.name, error)
  }
}

const serve = async <S extends z.ZodObject>(program: FunctionProgram<S>): Promise<void> => {
  const wired = await wireFunction(program, process.env)
  const host = await serveFunction(wired)
  wired.log.info('function serves', {
    url: host.url,
    settings: printableSettings(program.settings, wired.settings),
  })
  closeOnTermination(host.close)
}
