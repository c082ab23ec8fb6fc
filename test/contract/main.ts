import { messageOf } from '../../shared/text/message-of.ts'
import { contractDrift } from './contract-drift.ts'
import { driftTable } from './drift.ts'
import { contractModules, pinnedVersion } from './modules.ts'

// Compares Trellis with a version of Gardener for make contract: node test/contract/main.ts [VERSION]
// Trellis does not differ from the pinned version, so differences are the changes between both versions.
const version = process.argv[2] || pinnedVersion
const modules = await contractModules(version).catch(error => {
  console.error(messageOf(error))
  process.exit(2)
})
const drifts = await contractDrift(modules)
const names = modules.all.map(({ path, version }) => `${path.replace('github.com/gardener/', '')} ${version}`)
console.info(`compared with ${names.join(', ')}`)
if (drifts.length > 0) {
  console.info(`${driftTable(drifts)}\n${drifts.length} differences`)
  process.exitCode = 1
} else console.info('no differences')
