import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'
import { type GardenPrograms, gardenPrograms } from './garden-programs.ts'
import { type RegistryPrograms, registryPrograms } from './registry-program.ts'

/** A garden, its operator, and a registry for charts. */
export interface OperatorPrograms extends GardenPrograms, RegistryPrograms {
  readonly gardenerOperator: string
}

const gardener = 'github.com/gardener/gardener'

/** Returns the programs of a garden with its operator, built once from the version in `gardener/go.mod`. */
export const operatorPrograms = async (environment: NodeJS.ProcessEnv): Promise<OperatorPrograms> => {
  const name = 'gardener-operator'
  const folder = await goPrograms(environment, {
    what: "Gardener's operator",
    module: join(import.meta.dirname, '..', 'gardener'),
    name: 'garden-operator',
    packages: { [name]: `${gardener}/cmd/${name}` },
    takes: 'about three minutes on two cores',
    variables: async versionOf => ({
      [name]: [`k8s.io/component-base/version.gitVersion=${await versionOf(gardener)}`],
    }),
  })
  return {
    ...(await gardenPrograms(environment)),
    ...(await registryPrograms(environment)),
    gardenerOperator: join(folder, name),
  }
}
