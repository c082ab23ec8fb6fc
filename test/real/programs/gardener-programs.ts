import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

/** Paths of Gardener's programs. */
export interface GardenerPrograms {
  readonly resourceManager: string
  /** The controllers of MachineDeployments and MachineSets. */
  readonly machineControllerManager: string
  /** The controller of Machines, with the driver of `gardener/machine-controller`. */
  readonly machineController: string
}

/** Returns Gardener's programs, built once from the versions in `gardener/go.mod`. */
export const gardenerPrograms = async (environment: NodeJS.ProcessEnv): Promise<GardenerPrograms> => {
  const folder = await goPrograms(environment, {
    what: "Gardener's resource manager and machine controllers",
    module: join(import.meta.dirname, '..', 'gardener'),
    packages: {
      'gardener-resource-manager': 'github.com/gardener/gardener/cmd/gardener-resource-manager',
      'machine-controller-manager':
        'github.com/gardener/machine-controller-manager/cmd/machine-controller-manager',
      'machine-controller': './machine-controller',
    },
    takes: 'about eight minutes on two cores',
  })
  return {
    resourceManager: join(folder, 'gardener-resource-manager'),
    machineControllerManager: join(folder, 'machine-controller-manager'),
    machineController: join(folder, 'machine-controller'),
  }
}
