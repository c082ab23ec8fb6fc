import { spawnSync } from 'node:child_process'
import { readMutants } from './mutants/read-mutants.ts'
import { mutateSources } from './mutants/mutated-sources.ts'
const [number = '', ...rest] = process.argv.slice(2)
const mutant = readMutants().find(one => one.name.startsWith(number))!
const sources = await mutateSources(mutant)
spawnSync(process.execPath, ['--max-semi-space-size=64', '--stack-trace-limit=0', 'test/simulation/zz-child.ts', ...rest], { env: sources.environment, stdio: 'inherit' })
sources.remove()
