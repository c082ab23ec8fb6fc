import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../shared/text/message-of.ts'
import { MissingProgramError, outputOf } from '../programs/programs.ts'

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

/** Downloads the modules of a version of Gardener, unless they are in Go's module cache. */
export const contractModules = async (version: string): Promise<ContractModules> => {
  const gardener = await downloadedModule(gardenerPath, version)
  const pins = await readFile(join(gardener.folder, 'go.mod'), 'utf8')
  const pinned = (path: string) => {
    const [, found = '', of = ''] = new RegExp(`^\\s*(${path}) (v\\S+)`, 'm').exec(pins) ?? []
    if (of === '') throw new Error(`cannot find ${path} in the go.mod of ${gardenerPath} ${version}`)
    return downloadedModule(found, of)
  }
  const machines = await pinned('github\\.com/gardener/machine-controller-manager')
  const druid = await pinned('github\\.com/gardener/etcd-druid(?:/api)?')
  const types = pins.includes(`${gardenerPath}/pkg/apis =>`)
    ? [await downloadedModule(`${gardenerPath}/pkg/apis`, version)]
    : []
  return { gardener, all: [gardener, ...types, machines, druid] }
}

const downloadedModule = async (path: string, version: string): Promise<GoModule> => {
  // Outside of any module. Otherwise, the go.mod there would matter.
  const cwd = await mkdtemp(join(tmpdir(), 'trellis-contract-'))
  try {
    const answer = await outputOf('go', ['mod', 'download', '-json', `${path}@${version}`], { cwd })
    return { path, version, folder: String(JSON.parse(answer).Dir) }
  } catch (cause) {
    if (Object(cause).code === 'ENOENT')
      throw new MissingProgramError(
        'cannot read the modules of Gardener: Go is not installed. Install Go (https://go.dev/doc/install)',
        { cause },
      )
    throw new Error(`cannot download ${path} ${version}: ${messageOf(cause)}`, { cause })
  } finally {
    await rm(cwd, { recursive: true })
  }
}
