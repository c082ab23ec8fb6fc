import { fileURLToPath } from 'node:url'
import { messageOf } from '../../shared/text/message-of.ts'
import { prepareVersion } from './source/prepare-version.ts'

// Prepares the commit of a release: node build/release/prepare.ts 1.2.3
const [version = ''] = process.argv.slice(2)
const [today = ''] = new Date().toISOString().split('T')
await prepareVersion(fileURLToPath(new URL('../..', import.meta.url)), version, today).catch(
  (error: unknown) => {
    process.stderr.write(`version: ${messageOf(error)}\n`)
    process.exitCode = 2
  },
)
