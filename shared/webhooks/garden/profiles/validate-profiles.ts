import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  isAbsent,
  providerConfigIn,
  readNamespacedProfile,
  readProfile,
} from '../../../../shared/webhooks/garden/garden.ts'
import { configImageProblems } from './image-problems.ts'
import { mappingProblems, namespacedMappingProblems } from './mapping-problems.ts'
import { decodeProfileConfig } from './profile.ts'

const path = 'spec.providerConfig'

/** Validates that every image in a CloudProfile has AMIs (docs/contract/admission.md#cloudprofile). */
export const validateCloudProfile: Reviewer = ({ object }) => {
  const read = readProfile(object)
  if (!read.ok) return read.refused
  const decoded = decodeProfileConfig(read.config, read.what)
  if (!decoded.ok) return refusedFor([decoded.message])
  const { config } = decoded
  const problems = [
    ...when(config.machineImages.length === 0, {
      path: 'machineImages',
      message: 'expected the AMIs of at least one image, found none',
      kind: 'required' as const,
    }),
    ...configImageProblems(config, read.spec.definitions),
  ]
  return refusedFor([
    ...fieldErrors(problems, { at: path, within: config }),
    ...fieldErrors(mappingProblems(read.spec, config.machineImages), { within: object }),
  ])
}

/**
 * Validates a NamespacedCloudProfile against its parent (docs/contract/admission.md#namespacedcloudprofile). Ignores
 * one that is being deleted.
 */
export const validateNamespacedCloudProfile: Reviewer = async ({ object }, lookup) => {
  if (!isAbsent(object.metadata.deletionTimestamp)) return {}
  const read = await readNamespacedProfile(object, lookup)
  if (!read.ok) return read.refused
  const value = providerConfigIn(object)
  const decoded = isAbsent(value)
    ? undefined
    : decodeProfileConfig(value, `NamespacedCloudProfile ${JSON.stringify(object.metadata.name)}`)
  if (decoded?.ok === false) return refusedFor([decoded.message])
  const config = decoded?.config
  return refusedFor([
    ...(config === undefined
      ? []
      : fieldErrors(configImageProblems(config, read.parent.definitions), {
          at: 'spec.providerConfig',
          within: config,
        })),
    ...fieldErrors(namespacedMappingProblems(read.own, config?.machineImages ?? [], read.parent), {
      within: object,
    }),
  ])
}
