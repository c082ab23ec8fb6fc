import type { OperatingSystemConfig } from '../../contract/objects.ts'
import { startUnits, writeUnits } from '../flow.ts'
import type { ScriptParts } from '../operating-system.ts'
import { writeFiles } from '../script/write-file.ts'

/** Returns a config of a type, as the flow passes it. */
export const configOfType = (
  type: string,
  spec: Partial<OperatingSystemConfig['spec']> = {},
): OperatingSystemConfig => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'OperatingSystemConfig',
  metadata: { name: 'pool', namespace: 'shoot--foo--bar' },
  spec: { type, purpose: 'provision', ...spec },
})

/** Returns the parts of a script with one unencoded file and one unit. */
export const partsWith = (text: string): ScriptParts => {
  const units = [{ name: 'it.service', content: '[Unit]\n' }]
  return {
    files: writeFiles([{ path: '/etc/it', content: { kind: 'clear', text } }]),
    units: writeUnits(units),
    starts: startUnits(units),
  }
}
