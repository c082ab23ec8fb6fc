import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

/** Paths of the programs that check charts and manifests. */
export interface HelmPrograms {
  readonly helm: string
  readonly kubeconform: string
}

/** Returns helm and kubeconform, built once from the versions in `helm/go.mod`. */
export const helmPrograms = async (environment: NodeJS.ProcessEnv): Promise<HelmPrograms> => {
  const folder = await goPrograms(environment, {
    what: 'helm and kubeconform',
    module: join(import.meta.dirname, '..', 'helm'),
    packages: {
      helm: 'helm.sh/helm/v4/cmd/helm',
      kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform',
    },
    takes: 'about four minutes on two cores',
  })
  return { helm: join(folder, 'helm'), kubeconform: join(folder, 'kubeconform') }
}
