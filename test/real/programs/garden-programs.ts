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

const gardener = 'github.com/gardener/gardener'

/** Returns the programs of a garden, built once from the version in `gardener/go.mod`. */
export const gardenPrograms = async (environment: NodeJS.ProcessEnv): Promise<GardenPrograms> => {
  const names = ['gardener-apiserver', 'gardener-controller-manager', 'gardenlet']
  const folder = await goPrograms(environment, {
    what: "Gardener's API server, controller manager and gardenlet",
    module: join(import.meta.dirname, '..', 'gardener'),
    name: 'garden',
    packages: Object.fromEntries(names.map(name => [name, `${gardener}/cmd/${name}`])),
    takes: 'about nine minutes on two cores',
    // gardenlet takes the tag of its images from it.
    variables: async versionOf => {
      const set = [`k8s.io/component-base/version.gitVersion=${await versionOf(gardener)}`]
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

/** The programs of a garden that also assigns Shoots to its seeds. */
export interface GardenShootPrograms extends GardenPrograms {
  readonly gardenerScheduler: string
}

/** Returns the programs of a garden with Shoots. */
export const gardenShootPrograms = async (environment: NodeJS.ProcessEnv): Promise<GardenShootPrograms> => {
  const garden = await gardenPrograms(environment)
  const name = 'gardener-scheduler'
  const folder = await goPrograms(environment, {
    what: name,
    module: join(import.meta.dirname, '..', 'gardener'),
    // Apart, so that suites without Shoots do not build it.
    name: 'garden-scheduler',
    packages: { [name]: `${gardener}/cmd/${name}` },
    takes: 'about a minute on two cores',
  })
  return { ...garden, gardenerScheduler: join(folder, name) }
}
