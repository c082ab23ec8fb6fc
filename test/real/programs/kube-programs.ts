import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce } from './cache.ts'
import { outputOf, run } from './command.ts'
import { findGo } from './find-go.ts'

/** Paths of the programs. */
export interface KubePrograms {
  readonly kubeApiserver: string
  readonly etcd: string
}

const module = join(import.meta.dirname, '..', 'kube')

const howToGet =
  'install Go 1.26 or newer (https://go.dev/doc/install), or set KUBEBUILDER_ASSETS to a folder that holds kube-apiserver and etcd (setup-envtest makes one)'

const programsIn = (folder: string): KubePrograms => ({
  kubeApiserver: join(folder, 'kube-apiserver'),
  etcd: join(folder, 'etcd'),
})

/**
 * kube-apiserver and etcd: those of `KUBEBUILDER_ASSETS` where that is set, else built from the versions in
 * `kube/go.mod` (about four minutes on two cores, once).
 */
export const kubePrograms = async (environment: NodeJS.ProcessEnv): Promise<KubePrograms> => {
  const assets = environment.KUBEBUILDER_ASSETS
  if (assets) {
    const programs = programsIn(assets)
    for (const path of Object.values(programs)) {
      if (!existsSync(path)) {
        throw new Error(`KUBEBUILDER_ASSETS is ${assets}, but there is no ${path}`)
      }
    }
    return programs
  }
  return programsIn(await buildKubePrograms(environment))
}

const buildKubePrograms = async (environment: NodeJS.ProcessEnv): Promise<string> => {
  const env = { ...environment, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -trimpath -buildvcs=false' }
  const pins = await Promise.all(['go.mod', 'go.sum'].map(file => readFile(join(module, file), 'utf8')))
  const go = await findGo({ what: 'kube-apiserver and etcd', howToGet, module, env }, pins.join(''))
  const folder = join(cacheFolder(environment), 'kube', fingerprint(go, ...pins))
  return madeOnce(folder, async into => {
    const version = await outputOf('go', ['list', '-m', '-f', '{{.Version}}', 'k8s.io/kubernetes'], {
      cwd: module,
      env,
    })
    console.info(`building kube-apiserver ${version} and etcd, once: about four minutes on two cores`)
    const build = (name: string, path: string, variables: readonly string[] = []) =>
      run('go', ['build', '-ldflags', ['-s', '-w', ...variables].join(' '), '-o', join(into, name), path], {
        cwd: module,
        env,
      })
    await build('etcd', 'go.etcd.io/etcd/server/v3')
    await build('kube-apiserver', 'k8s.io/kubernetes/cmd/kube-apiserver', versionVariables(version))
  })
}

/** What Kubernetes' own build sets; without it the server calls itself v0.0.0-master. */
const versionVariables = (version: string): string[] => {
  const [major = '', minor = ''] = version.replace(/^v/, '').split('.')
  return Object.entries({ gitVersion: version, gitMajor: major, gitMinor: minor }).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  )
}
