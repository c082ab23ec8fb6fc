import { resolve } from 'node:path'
import { bootFunction } from '../shared/runtime/boot-function.ts'
import { formatDefinitionProblem } from '../shared/runtime/runtime.ts'
import { printError } from '../shared/terminal/print.ts'
import { loadDefinition } from './load-definition.ts'
import { placeInStack } from './load-failure.ts'

// The process of one function, run from source: node functions/main.ts functions/aws/dnsrecord/function.ts
const [file] = process.argv.slice(2)
if (file === undefined) {
  printError('give the function: node functions/main.ts functions/<provider>/<kind>/function.ts\n')
  process.exitCode = 2
} else {
  const loaded = await loadDefinition(resolve(file))
  if ('definition' in loaded) await bootFunction(loaded.definition, placeInStack)
  else {
    printError(`${loaded.problems.map(formatDefinitionProblem).join('\n')}\n`)
    process.exitCode = 1
  }
}
