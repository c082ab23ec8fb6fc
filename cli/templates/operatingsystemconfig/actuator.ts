import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { bootScript } from './boot-script.ts'
import { ensureUserData, readFiles } from './user-data-secret.ts'

/**
 * User data for the first boot, or units and files beside those of the spec, for the node agent. The Secret is deleted
 * with its object.
 */
export const operatingSystemConfigActuator: Actuator<OperatingSystemConfig> = {
  reconcile: async step => {
    const { purpose, units = [] } = step.object.spec
    if (purpose === 'reconcile') {
      // TODO: the units and files that this operating system needs beside those of gardenlet. They must not include a
      // path of spec.files.
      return done({ extensionUnits: [], extensionFiles: [] })
    }
    const files = await readFiles(step)
    const secretRef = await ensureUserData(step, bootScript(files, units))
    return done({ cloudConfig: { secretRef } })
  },
  remove: async () => done(),
}
