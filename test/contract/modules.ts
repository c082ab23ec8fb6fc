import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MissingProgramError, outputOf } from '../../build/programs/programs.ts'
import { messageOf } from '../../shared/text/message-of.ts'

/** The version of Gardener that Trellis is compared with. */
export const pinnedVersion = 'v1.149.3'

/** The sources of a Go module in the module cache. */
export interface GoModule {
  readonly path: string
  readonly version: string
  readonly folder: string
}

/** The modules with Gardener's contract: Gardener's own and those that its `go.mod` requires. */
export interface ContractModules {
  readonly gardener: GoModule
  /** All of them, also the module with Gardener's API types, which older versions do not have. */
  readonly all: readonly GoModule[]
}

const gardenerPath = 'github.com/gardener/gardener'

/**
 * Downloads the modules of a version of Gardener, unless they are in Go's module cache. Throws `MissingProgramError` if
 * Go or a module is missing.
 */
export const contractModules = async (
  version: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ContractModules> => {
  const downloaded = (path: string, of: string) => downloadedModule(path, of, environment)
  const gardener = await downloaded(gardenerPath, version)
  const pins = await readFile(join(gardener.folder, 'go.mod'), 'utf8')
  const pinned = (path: string) => {
    const [, found = '', of = ''] = new RegExp(`^\\s*(${path}) (v\\S+)`, 'm').exec(pins) ?? []
    if (of === '') throw new Error(`cannot find ${path} in the go.mod of ${gardenerPath} ${version}`)
    return downloaded(found, of)
  }
  // Newer versions have their API types in a module of their own.
  const hasTypes = pins.includes(`${gardenerPath}/pkg/apis =>`)
  const all = [
    gardener,
    ...(hasTypes ? [await downloaded(`${gardenerPath}/pkg/apis`, version)] : []),
    await pinned('github\\.com/gardener/machine-controller-manager'),
    await pinned('github\\.com/gardener/etcd-druid(?:/api)?'),
  ]
  return { gardener, all }
}

const downloadedModule = async (path: string, version: string, env: NodeJS.ProcessEnv): Promise<GoModule> => {
  // Outside of any module. Otherwise, the go.mod there would matter.
  const cwd = await mkdtemp(join(tmpdir(), 'trellis-contract-'))
  try {
    const answer = await outputOf('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd, env })
    return { path, version, folder: String(JSON.parse(answer).Dir) }
  } catch (cause) {
    const why =
      Object(cause).code === 'ENOENT'
        ? 'Go is not installed. Install Go (https://go.dev/doc/install)'
        : messageOf(cause)
    throw new MissingProgramError(`cannot download ${path} ${version}: ${why}`, { cause })
  } finally {
    await rm(cwd, { recursive: true })
  }
}
