import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../build/project/package-root.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import {
  type FoundVersion,
  howToGet,
  installed,
  ownLibrary,
  packageIn,
  programIn,
  tooOld,
} from './library-package.ts'
import { unpackLibrary } from './unpack-library.ts'

/**
 * Finds a version of Trellis: a checkout, a packed library (`npm pack`, or its folder), or a folder in which npm has
 * installed it. For a version (`1.3.0`), an image with it as its tag, or a folder of bundles or images, which have no
 * planners, npm installs the library of that version. Throws a `UsageError` that says how to get another one.
 *
 * @param given the value of `flag`
 */
export const findVersion = async (given: string, flag = '--to'): Promise<FoundVersion> => {
  const path = resolve(given)
  const where = `${flag} ${given}`
  if (!existsSync(path)) {
    const [, version] = /^v?(\d+\.\d+\.\d[\w.-]*)$/.exec(given.slice(given.lastIndexOf(':') + 1)) ?? []
    if (version !== undefined) return installVersion(version, where)
    throw new UsageError(`${where}: no such file, folder or version. ${howToGet('VERSION')}`)
  }
  if (!statSync(path).isDirectory()) return unpackLibrary(path, where)
  const root = [path, join(path, 'node_modules', ownLibrary().name ?? '')].find(
    folder => packageIn(folder)?.name === ownLibrary().name,
  )
  if (root === undefined) {
    const built = versionOf(path)
    if (built !== undefined) return installVersion(built, where)
    throw new UsageError(
      `${where}: this is no version of Trellis: expected a version, an image, a checkout, a packed library, or a folder with an installed one. ${howToGet('VERSION')}`,
    )
  }
  const program = programIn(root)
  const { version = 'unknown', dependencies = {} } = packageIn(root) ?? {}
  if (program === undefined) throw new UsageError(`${where}: ${tooOld(version)}`)
  const missing = Object.keys(dependencies).filter(name => installed(name, program) === undefined)
  if (missing.length > 0)
    throw new UsageError(
      `${where}: its dependencies are not installed (${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}). Run "npm ci" in a checkout, or use the version that npm installs. ${howToGet(version)}`,
    )
  return { title: `${version} in ${given}`, program, remove: () => {} }
}

/** The program of this version, for a comparison with another one. */
export const ownVersion = (): FoundVersion => ({
  title: `${ownLibrary().version}, this version`,
  program: programIn(packageRoot()) ?? '',
  remove: () => {},
})

/** Identifies the code of a version: that of a checkout changes without its version. */
export const digestOf = ({ program }: FoundVersion): string => {
  const root = join(program, '../../../..')
  const hash = createHash('sha256')
  const folders = ['cli', 'functions', 'sandbox', 'shared', 'terraform-free-infra']
  for (const folder of folders.map(name => join(root, name)))
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.[jt]s$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

/** Installs the library of a version with npm, from its registry, without its scripts. */
const installVersion = async (version: string, where: string): Promise<FoundVersion> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-version-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
    await promisify(execFile)('npm', ['install', ...flags, `${ownLibrary().name}@${version}`])
    return { ...(await findVersion(folder, where)), title: version, remove }
  } catch (error) {
    remove()
    if (error instanceof UsageError) throw error
    const [, why = messageOf(error)] =
      /^npm error (?!code )(.+)$/m.exec(recordOf(error).stderr as string) ?? []
    throw new UsageError(`${where}: npm cannot install version ${version}: ${why}. ${howToGet(version)}`)
  }
}

/** Returns the version of bundles or images. */
const versionOf = (path: string): string | undefined => {
  const bundle = readdirSync(path).find(name => existsSync(join(path, name, 'sbom.cdx.json')))
  if (bundle !== undefined) return jsonAt(join(path, bundle, 'sbom.cdx.json'))?.metadata?.component?.version
  const layout = [path, join(path, 'images')].find(folder => existsSync(join(folder, 'oci-layout')))
  return layout && imageVersion(layout)
}

// biome-ignore lint/suspicious/noExplicitAny: parts of foreign documents
const jsonAt = (file: string): any => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** The label of the first image of a layout. */
const imageVersion = (layout: string): string | undefined => {
  const blob = (digest: unknown) => jsonAt(join(layout, 'blobs', ...String(digest).split(':')))
  const manifest = blob(jsonAt(join(layout, 'index.json'))?.manifests?.[0]?.digest)
  return blob(manifest?.config?.digest)?.config?.Labels?.['org.opencontainers.image.version']
}
