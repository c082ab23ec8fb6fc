import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { bootScript } from './boot-script.ts'
import { ensureUserData, readFiles } from './user-data-secret.ts'

/**
 * Returns the user data of the first boot, or for the purpose `reconcile` the units and files that the node agent needs
 * in addition to the spec. The Secret is deleted with its object.
 */
export const operatingSystemConfigActuator: Actuator<OperatingSystemConfig> = {
  reconcile: async step => {
    const { purpose, units = [] } = step.object.spec
    if (purpose === 'reconcile') {
      // TODO: Return the units and files that the operating system needs in addition to gardenlet's. No file may have a
      // path of spec.files.
      return done({ extensionUnits: [], extensionFiles: [] })
    }
    const files = await readFiles(step)
    const secretRef = await ensureUserData(step, bootScript(files, units))
    return done({ cloudConfig: { secretRef } })
  },
  remove: async () => done(),
}
