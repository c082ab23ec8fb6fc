import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../build/project/package-root.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
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
 * installed it. Throws a `UsageError` that says how to get the version if it has no planners, such as an image.
 *
 * @param given the value of `flag`
 */
export const findVersion = async (given: string, flag = '--to'): Promise<FoundVersion> => {
  const path = resolve(given)
  const where = `${flag} ${given}`
  if (!existsSync(path)) throw new UsageError(`${where}: no such file or folder. ${howToGet('VERSION')}`)
  if (!statSync(path).isDirectory()) return unpackLibrary(path, where)
  const root = [path, join(path, 'node_modules', ownLibrary().name ?? '')].find(
    folder => packageIn(folder)?.name === ownLibrary().name,
  )
  if (root === undefined) throw new UsageError(`${where}: ${whyNot(path)}`)
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

/** Explains a folder without planners. */
const whyNot = (path: string): string => {
  const bundle = readdirSync(path).find(name => existsSync(join(path, name, 'sbom.cdx.json')))
  if (bundle !== undefined) {
    const version = jsonAt(join(path, bundle, 'sbom.cdx.json'))?.metadata?.component?.version ?? 'VERSION'
    return `these are bundles of version ${version}. A bundle runs one function, and has no code that plans. ${howToGet(version)}`
  }
  const layout = [path, join(path, 'images')].find(folder => existsSync(join(folder, 'oci-layout')))
  if (layout !== undefined) {
    const version = imageVersion(layout) ?? 'VERSION'
    return `these are images of version ${version}. An image runs one function, and has no code that plans. ${howToGet(version)}`
  }
  return `this is no version of Trellis: expected a checkout, a packed library, or a folder with an installed one. ${howToGet('VERSION')}`
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
