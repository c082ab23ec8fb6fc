import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

export interface KubePrograms {
  readonly kubeApiserver: string
  readonly etcd: string
}

const programsIn = (folder: string): KubePrograms => ({
  kubeApiserver: join(folder, 'kube-apiserver'),
  etcd: join(folder, 'etcd'),
})

/**
 * Returns kube-apiserver and etcd: those of `KUBEBUILDER_ASSETS` if it is set, otherwise built once from the versions
 * in `kube/go.mod`.
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

/** Returns kube-controller-manager, which `KUBEBUILDER_ASSETS` lacks, built once from the version in `kube/go.mod`. */
export const kubeControllerManager = async (environment: NodeJS.ProcessEnv): Promise<string> => {
  const name = 'kube-controller-manager'
  const folder = await goPrograms(environment, {
    what: name,
    module: kubeModule,
    name,
    packages: { [name]: `k8s.io/kubernetes/cmd/${name}` },
    takes: 'about two minutes on two cores',
    variables: async versionOf => ({ [name]: versionVariables(await versionOf('k8s.io/kubernetes')) }),
  })
  return join(folder, name)
}

const kubeModule = join(import.meta.dirname, '..', 'kube')

const buildKubePrograms = (environment: NodeJS.ProcessEnv): Promise<string> =>
  goPrograms(environment, {
    what: 'kube-apiserver and etcd',
    module: kubeModule,
    packages: { etcd: 'go.etcd.io/etcd/server/v3', 'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver' },
    instead:
      'or set KUBEBUILDER_ASSETS to a folder that holds kube-apiserver and etcd (setup-envtest makes one)',
    takes: 'about four minutes on two cores',
    variables: async versionOf => ({
      'kube-apiserver': versionVariables(await versionOf('k8s.io/kubernetes')),
    }),
  })

/** The variables of Kubernetes' own build. Without them, the server reports v0.0.0-master. */
const versionVariables = (version: string): string[] => {
  const [major = '', minor = ''] = version.replace(/^v/, '').split('.')
  return Object.entries({ gitVersion: version, gitMajor: major, gitMinor: minor }).map(
    ([name, value]) => `k8s.io/component-base/version.${name}=${value}`,
  )
}
