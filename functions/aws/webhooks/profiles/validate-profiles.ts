import { valueAt } from '../../../../shared/decode/record-of.ts'
import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  findCloudProfile,
  isAbsent,
  parseProfile,
  providerConfigIn,
} from '../../../../shared/webhooks/garden/garden.ts'
import { configImageProblems } from './image-problems.ts'
import { mappingProblems, namespacedMappingProblems } from './mapping-problems.ts'
import { decodeProfileConfig } from './profile.ts'

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
    ...when(config.machineImages.length === 0, {
      path: 'machineImages',
      message: 'expected the AMIs of at least one image, found none',
      kind: 'required' as const,
    }),
    ...configImageProblems(config, parsed.spec.definitions),
  ]
  return refusedFor([
    ...fieldErrors(problems, { at: path, within: config }),
    ...fieldErrors(mappingProblems(parsed.spec, config.machineImages), { within: object }),
  ])
}

/**
 * Validates a NamespacedCloudProfile against its parent (docs/contract/admission.md#namespacedcloudprofile). Ignores
 * one that is being deleted.
 */
export const validateNamespacedCloudProfile: Reviewer = async ({ object }, lookup) => {
  if (!isAbsent(object.metadata.deletionTimestamp)) return {}
  const parent = valueAt(object, 'spec', 'parent')
  const kind = valueAt(parent, 'kind')
  if (kind !== 'CloudProfile') {
    return refusedFor([
      `parent reference must be of kind CloudProfile (unsupported kind: ${JSON.stringify(kind ?? '')})`,
    ])
  }
  const found = await findCloudProfile(String(valueAt(parent, 'name') ?? ''), lookup)
  if (!found.ok) return refusedFor([found.message])
  const own = parseProfile(object.spec)
  if (!own.ok) return refusedFor(fieldErrors(own.problems, { at: 'spec', within: object.spec }))
  const parents = parseProfile(found.spec)
  if (!parents.ok) {
    const message = 'cannot read the parent CloudProfile'
    return refusedFor(fieldErrors([{ path: 'spec.parent', message, kind: 'internal' }]))
  }
  const value = providerConfigIn(object)
  const decoded = isAbsent(value)
    ? undefined
    : decodeProfileConfig(value, `NamespacedCloudProfile ${JSON.stringify(object.metadata.name)}`)
  if (decoded?.ok === false) return refusedFor([decoded.message])
  const config = decoded?.config
  return refusedFor([
    ...(config === undefined
      ? []
      : fieldErrors(configImageProblems(config, parents.spec.definitions), {
          at: 'spec.providerConfig',
          within: config,
        })),
    ...fieldErrors(namespacedMappingProblems(own.spec, config?.machineImages ?? [], parents.spec), {
      within: object,
    }),
  ])
}
