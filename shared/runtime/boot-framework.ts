import type * as z from 'zod'
import { registerWithFramework } from './framework.ts'
import { type FunctionProgram, startFailure, wireFunction } from './wire-function.ts'

/**
 * The same function as `bootFunction` serves, for the CLI of the functions framework: the module that awaits this is
 * its `--source`, the name its `--target`. The settings of the host (port, drain time, …) mean nothing here. Ends the
 * process when the function cannot start: the framework would go on without it.
 */
export const bootFrameworkFunction = async <S extends z.ZodObject>(
  program: FunctionProgram<S>,
): Promise<void> => {
  try {
    registerWithFramework(program.name, await wireFunction(program, process.env))
  } catch (error) {
    process.exit(startFailure(program.name, error))
  }
}
