import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  type DefinitionProblem,
  type FunctionDefinition,
  isDefinitionError,
  isFunctionDefinition,
} from '../shared/runtime/runtime.ts'
import { loadFailure } from './load-failure.ts'

export type LoadedDefinition =
  | { readonly file: string; readonly definition: FunctionDefinition }
  | { readonly problems: readonly DefinitionProblem[] }

/** Returns the `definition` exported by a file (absolute path), or its problems. */
export const loadDefinition = async (file: string): Promise<LoadedDefinition> => {
  if (!existsSync(file)) return { problems: [{ place: { file }, message: 'the file does not exist' }] }
  try {
    const { definition } = (await import(pathToFileURL(file).href)) as { readonly definition?: unknown }
    if (isFunctionDefinition(definition)) return { file, definition }
    const message =
      definition === undefined
        ? 'no export `definition`. Add: export const definition = defineFunction({ … })'
        : 'its `definition` is not the result of defineFunction'
    return { problems: [{ place: { file, line: 1 }, message }] }
  } catch (error) {
    return { problems: isDefinitionError(error) ? error.problems : [loadFailure(file, error)] }
  }
}
