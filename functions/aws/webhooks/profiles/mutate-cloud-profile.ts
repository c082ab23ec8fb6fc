import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { at, isAbsent, withAt } from '../garden/json.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { decodeProfileConfig } from './decode-profile-config.ts'
import { flavorWarnings } from './flavor-warnings.ts'
import { providerConfigIn } from './spec-images.ts'
import { withFlavors } from './with-flavors.ts'

/** Copies the flavors of the AMIs of a CloudProfile to its images, if the profile has capabilities. */
export const mutateCloudProfile: Reviewer = ({ object }) => {
  const value = providerConfigIn(object)
  const definitions = at(object, 'spec', 'machineCapabilities')
  if (isAbsent(value) || !Array.isArray(definitions) || definitions.length === 0) return {}
  const decoded = decodeProfileConfig(value, `CloudProfile ${JSON.stringify(object.metadata.name)}`)
  if (!decoded.ok) return refusedFor([decoded.message])
  const before = at(object, 'spec', 'machineImages')
  const { images, overwritten } = withFlavors(before, decoded.config.machineImages)
  if (images === before) return {}
  return {
    changed: { ...object, ...withAt(object, ['spec', 'machineImages'], images) },
    ...flavorWarnings(overwritten),
  }
}
