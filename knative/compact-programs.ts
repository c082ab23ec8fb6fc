import { basename, dirname } from 'node:path'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'
import type { CompactProgram } from './deployment.ts'

/**
 * Returns one program for the functions of each provider, based on the folders `functions/<provider>/<kind>`:
 * `<provider>-compact`.
 */
export const compactPrograms = (
  functions: readonly (FunctionDefinition & { readonly file: string })[],
): readonly CompactProgram[] =>
  [...Map.groupBy(functions, ({ file }) => basename(dirname(dirname(file))))].map(([provider, own]) => ({
    name: `${provider}-compact`,
    functions: own,
  }))
