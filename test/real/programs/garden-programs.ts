import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'
import { type GardenerPrograms, gardenerPrograms } from './gardener-programs.ts'
import { type KnativePrograms, knativePrograms } from './knative-programs.ts'

/** The programs of a garden and its seed, with those of the seed's cluster. */
export interface GardenPrograms extends KnativePrograms, GardenerPrograms {
  readonly gardenerApiserver: string
  readonly gardenerControllerManager: string
  readonly gardenlet: string
}

/** The version of Gardener in `garden/go.mod`. gardenlet takes the tag of its images from it. */
const version = 'github.com/gardener/gardener'

/** Returns the programs of a garden, built once from the version in `garden/go.mod`. */
export const gardenPrograms = async (environment: NodeJS.ProcessEnv): Promise<GardenPrograms> => {
  const names = ['gardener-apiserver', 'gardener-controller-manager', 'gardenlet']
  const folder = await goPrograms(environment, {
    what: "Gardener's API server, controller manager and gardenlet",
    module: join(import.meta.dirname, '..', 'garden'),
    packages: Object.fromEntries(names.map(name => [name, `github.com/gardener/gardener/cmd/${name}`])),
    takes: 'about nine minutes on two cores',
    variables: async versionOf => {
      const set = [`k8s.io/component-base/version.gitVersion=${await versionOf(version)}`]
      return Object.fromEntries(names.map(name => [name, set]))
    },
  })
  return {
    ...(await knativePrograms(environment)),
    ...(await gardenerPrograms(environment)),
    gardenerApiserver: join(folder, 'gardener-apiserver'),
    gardenerControllerManager: join(folder, 'gardener-controller-manager'),
    gardenlet: join(folder, 'gardenlet'),
  }
}
