import { formatDefinitionProblem } from '../shared/runtime/runtime.ts'
import { checkFunctions } from './check-functions.ts'

// The part of make check that is about functions: node check/main.ts [FOLDER]
const problems = await checkFunctions(process.argv[2])
for (const problem of problems) process.stderr.write(`${formatDefinitionProblem(problem)}\n`)
if (problems.length > 0) process.exitCode = 1
