import { fieldErrors, type Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { isAbsent } from '../garden/json.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { decodeProfileConfig } from './decode-profile-config.ts'
import { configImageProblems } from './image-problems.ts'
import { mappingProblems } from './mapping-problems.ts'
import { parseProfile, providerConfigIn } from './spec-images.ts'

const path = 'spec.providerConfig'

/** Validates that every image in a CloudProfile has AMIs (docs/contract/admission.md#cloudprofile). */
export const validateCloudProfile: Reviewer = ({ object }) => {
  const value = providerConfigIn(object)
  if (isAbsent(value)) {
    const message = 'expected a CloudProfileConfig, found nothing'
    return refusedFor(fieldErrors([{ path, message, kind: 'required' }]))
  }
  const parsed = parseProfile(object.spec)
  if (!parsed.ok) return refusedFor(fieldErrors(parsed.problems, { at: 'spec', within: object.spec }))
  const decoded = decodeProfileConfig(value, `CloudProfile ${JSON.stringify(object.metadata.name)}`)
  if (!decoded.ok) return refusedFor([decoded.message])
  const { config } = decoded
  const problems = [
    ...(config.machineImages.length === 0
      ? [
          {
            path: 'machineImages',
            message: 'expected the AMIs of at least one image, found none',
            kind: 'required' as const,
          },
        ]
      : []),
    ...configImageProblems(config, parsed.spec.definitions),
  ]
  return refusedFor([
    ...fieldErrors(problems, { at: path, within: config }),
    ...fieldErrors(mappingProblems(parsed.spec, config.machineImages), { within: object }),
  ])
}
