import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRegctl } from '../../../images/images.ts'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { MissingProgramError } from './part.ts'

/** Paths of the programs. */
export interface RegistryPrograms {
  /** regctl of `images/tools/go.mod`, by which images are made. */
  readonly regctl: string
  /** The registry of the distribution project (https://distribution.github.io/distribution/). */
  readonly registry: string
}

const module = join(import.meta.dirname, '..', 'registry')

/** Both are built from the versions in their `go.mod`, once (about four minutes on two cores). */
export const registryPrograms = async (environment: NodeJS.ProcessEnv): Promise<RegistryPrograms> => {
  const env = { ...environment, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -trimpath -buildvcs=false' }
  const regctl = await findRegctl(environment).catch((error: Error) => {
    throw new MissingProgramError(error.message, { cause: error })
  })
  const pins = await Promise.all(['go.mod', 'go.sum'].map(file => readFile(join(module, file), 'utf8')))
  const go = await outputOf('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: module, env }).catch(
    cause => {
      throw new MissingProgramError(
        'the registry cannot be built, there is no Go: install Go 1.26 or newer',
        { cause },
      )
    },
  )
  const folder = await madeOnce(
    join(cacheFolder(environment), 'registry', fingerprint(go, ...pins)),
    async into => {
      console.info('building a registry, once: about four minutes on two cores')
      const program = 'github.com/distribution/distribution/v3/cmd/registry'
      await run('go', ['build', '-ldflags', '-s -w', '-o', join(into, 'registry'), program], {
        cwd: module,
        env,
      })
    },
  )
  return { regctl, registry: join(folder, 'registry') }
}
