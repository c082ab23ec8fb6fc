import { kindNames } from '../shared/contract/kinds.ts'
import type { FunctionDefinition } from '../shared/runtime/runtime.ts'

type Listed = Pick<FunctionDefinition, 'kind' | 'types' | 'name'>

/** Which types of each kind have a function, for the README. */
export const kindsTable = (functions: readonly Listed[]): string => {
  const rows = kindNames.map(kind => {
    const own = functions.filter(one => one.kind === kind)
    const types = own.flatMap(one => one.types.map(type => `\`${type}\``))
    return `| ${kind} | ${types.length === 0 ? '–' : types.join(', ')} |`
  })
  return ['', '| kind | types that have a function |', '|---|---|', ...rows, ''].join('\n')
}
