import * as z from 'zod'
import { imageSettingsFor } from '../../../shared/images/images.ts'
import { imageTable } from './image-table.ts'

const flag = (description: string) => z.stringbool().default(false).meta({ description })

/** The settings of the function. */
export const networkSettings = z.object({
  ...imageSettingsFor(imageTable).shape,
  nonPrivilegedCalicoNode: flag('calico-node runs as an ordinary user, but in the eBPF mode.'),
  seamlessOverlaySwitch: flag(
    'An overlay is switched off once all nodes of the shoot have routes, where its API server has MutatingAdmissionPolicies.',
  ),
})
export type NetworkSettings = z.output<typeof networkSettings>
