import * as z from 'zod'
import { imageSettingsFor } from '../../../build/library/components.ts'
import { imageTable } from './image-table.ts'

const flag = (description: string) => z.stringbool().default(false).meta({ description })

export const networkSettings = z.object({
  ...imageSettingsFor(imageTable).shape,
  nonPrivilegedCalicoNode: flag('Runs calico-node as a non-root user, except in eBPF mode.'),
  seamlessOverlaySwitch: flag(
    'Disables an overlay only after all nodes of the shoot have routes, if the API server supports MutatingAdmissionPolicies.',
  ),
})
export type NetworkSettings = z.output<typeof networkSettings>
