import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatDefinitionProblem } from '../../shared/runtime/runtime.ts'
import { checkFunctions } from './check-functions.ts'
import { checkProviders } from './check-providers.ts'

// Checks functions and providers for make check: node test/check/main.ts [FOLDER]
const [root] = process.argv.slice(2)
const problems = [
  ...(await checkFunctions(root)),
  ...(await checkProviders(root === undefined ? undefined : pathToFileURL(`${resolve(root)}/`))),
]
for (const problem of problems) process.stderr.write(`${formatDefinitionProblem(problem)}\n`)
if (problems.length > 0) process.exitCode = 1
