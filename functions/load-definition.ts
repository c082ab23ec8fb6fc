import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  type DefinitionProblem,
  type FunctionDefinition,
  isDefinitionError,
  isFunctionDefinition,
} from '../shared/runtime/runtime.ts'
import { loadFailure } from './load-failure.ts'

export type LoadedDefinition<Definition> =
  | { readonly file: string; readonly definition: Definition }
  | { readonly problems: readonly DefinitionProblem[] }

/** Returns the function that a file (absolute path) exports as `definition`, or the file's problems. */
export const loadDefinition = (file: string): Promise<LoadedDefinition<FunctionDefinition>> =>
  loadExport(file, isFunctionDefinition, 'defineFunction')

/** Returns what a file (absolute path) exports as `definition`, the result of `define`, or the file's problems. */
export const loadExport = async <Definition>(
  file: string,
  isDefinition: (value: unknown) => value is Definition,
  define: 'defineFunction' | 'defineWebhook',
): Promise<LoadedDefinition<Definition>> => {
  if (!existsSync(file)) return { problems: [{ place: { file }, message: 'the file does not exist' }] }
  try {
    const { definition } = (await import(pathToFileURL(file).href)) as { readonly definition?: unknown }
    if (isDefinition(definition)) return { file, definition }
    const message =
      definition === undefined
        ? `no export \`definition\`. Add: export const definition = ${define}({ … })`
        : `its \`definition\` is not the result of ${define}`
    return { problems: [{ place: { file, line: 1 }, message }] }
  } catch (error) {
    return { problems: isDefinitionError(error) ? error.problems : [loadFailure(file, error)] }
  }
}
