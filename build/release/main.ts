import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { patientConnections } from '../../shared/runtime/start/patient-connections.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { readBase } from '../images/images.ts'
import { help, readReleaseArguments } from './arguments.ts'
import { type MadeRelease, makeRelease } from './make-release.ts'

interface ReleaseTableOptions {
  readonly registry: string
  readonly platforms: readonly string[]
  readonly folder: string
  readonly sizes: readonly { readonly name: string; readonly bytes: number }[]
}

/** Returns a short list of everything that a release made. */
const releaseTable = (
  { version, revision, images, charts, verifyArgs }: MadeRelease,
  { registry, platforms, folder, sizes }: ReleaseTableOptions,
): string => {
  const count = Object.keys(images).length
  const rows = [
    ['version', `${version}, commit ${revision}`],
    ['images', `${count}, each for ${platforms.join(' and ')}: ${registry}/<program>:${version}`],
    ['charts', `${charts.map(({ name }) => name).join(', ')}: ${registry}/charts/<chart>:${version}`],
    ['signed', `${count} images with their SBOMs, ${charts.length} charts, SHA256SUMS`],
    ['verify', `cosign verify ${verifyArgs.join(' ')}`],
    ...sizes.map(({ name, bytes }, index) => [
      index === 0 ? folder : '',
      `${name} ${Math.max(1, Math.round(bytes / 1024))} KiB`,
    ]),
  ] as const
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('')
}

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
