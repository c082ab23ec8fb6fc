import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { patientConnections } from '../../shared/runtime/start/patient-connections.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { readBase } from '../images/images.ts'
import { help, readReleaseArguments } from './arguments.ts'
import { makeRelease } from './make-release.ts'
import { releaseTable } from './release-table.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Builds, pushes and signs a release: node build/release/main.ts --help
const main = async (): Promise<void> => {
  patientConnections()
  const options = readReleaseArguments(process.argv.slice(2), { base: await readBase() })
  if (options === 'help') {
    process.stdout.write(help)
    return
  }
  const start = performance.now()
  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`
  const release = await makeRelease(root, options, process.env, stage =>
    process.stderr.write(`${seconds().padStart(6)}  ${stage}\n`),
  )
  const sizes = release.files.map(async name => ({ name, bytes: (await stat(join(options.out, name))).size }))
  const folder = relative(process.cwd(), options.out) || '.'
  process.stdout.write(releaseTable(release, { ...options, folder, sizes: await Promise.all(sizes) }))
}

await main().catch((error: unknown) => {
  process.stderr.write(`release: ${messageOf(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
