import { Environment } from '@marcbachmann/cel-js'
import { messageOf } from '../../../shared/text/message-of.ts'

type CelProgram = (variables: Record<string, unknown>) => unknown

/** Returns the program of a CEL expression, which is parsed once. It throws if the expression cannot be parsed. */
export const createCelPrograms = (): ((expression: string) => CelProgram) => {
  const environment = new Environment({ unlistedVariablesAreDyn: true })
  const programs = new Map<string, CelProgram>()
  return expression => {
    const program: CelProgram = programs.get(expression) ?? environment.parse(expression)
    programs.set(expression, program)
    return program
  }
}

/** Returns the first line of an error of CEL; the others mark the place in the expression. */
export const celMessageOf = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
