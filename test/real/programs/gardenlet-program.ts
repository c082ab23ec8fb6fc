import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

/** The path of the program that runs gardenlet's components. */
export interface GardenletProgram {
  readonly gardenletDriver: string
}

/** Returns the driver, built once from its sources and the version of Gardener in `gardenlet/driver/go.mod`. */
export const gardenletProgram = async (environment: NodeJS.ProcessEnv): Promise<GardenletProgram> => {
  const folder = await goPrograms(environment, {
    what: 'the driver of gardenlet',
    module: join(import.meta.dirname, '..', 'gardenlet', 'driver'),
    name: 'gardenlet',
    packages: { driver: '.' },
    takes: 'about six minutes on two cores',
  })
  return { gardenletDriver: join(folder, 'driver') }
}
