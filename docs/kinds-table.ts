import { kindNames } from '../shared/contract/kinds.ts'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'

type Listed = Pick<FunctionDefinition, 'kind' | 'types' | 'name'>

/** A table for the README: the types of each kind that have a function. */
export const kindsTable = (functions: readonly Listed[]): string => {
  const rows = kindNames.map(kind => {
    const own = functions.filter(one => one.kind === kind)
    const types = own.flatMap(one => one.types.map(type => `\`${type}\``))
    return `| ${kind} | ${types.length === 0 ? '–' : types.join(', ')} |`
  })
  return ['', '| kind | types that have a function |', '|---|---|', ...rows, ''].join('\n')
}
