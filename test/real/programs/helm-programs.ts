import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { MissingProgramError } from './part.ts'

/** Paths of the programs that charts and manifests are asked about. */
export interface HelmPrograms {
  readonly helm: string
  readonly kubeconform: string
}

const module = join(import.meta.dirname, '..', 'helm')

const packages = {
  helm: 'helm.sh/helm/v4/cmd/helm',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform',
} as const

/** helm and kubeconform, built from the versions in `helm/go.mod` (about four minutes on two cores, once). */
export const helmPrograms = async (environment: NodeJS.ProcessEnv): Promise<HelmPrograms> => {
  const env = { ...environment, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -trimpath -buildvcs=false' }
  const pins = await Promise.all(['go.mod', 'go.sum'].map(file => readFile(join(module, file), 'utf8')))
  const go = await outputOf('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: module, env }).catch(
    cause => {
      throw new MissingProgramError(
        'helm and kubeconform cannot be built, there is no Go: install Go 1.26 or newer (https://go.dev/doc/install)',
        { cause },
      )
    },
  )
  const folder = await madeOnce(
    join(cacheFolder(environment), 'helm', fingerprint(go, ...pins)),
    async into => {
      console.info('building helm and kubeconform, once: about four minutes on two cores')
      for (const [name, path] of Object.entries(packages))
        await run('go', ['build', '-ldflags', '-s -w', '-o', join(into, name), path], { cwd: module, env })
    },
  )
  return { helm: join(folder, 'helm'), kubeconform: join(folder, 'kubeconform') }
}
