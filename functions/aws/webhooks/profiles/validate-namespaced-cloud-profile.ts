import { fieldErrors, type Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { at, isAbsent } from '../garden/json.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { decodeProfileConfig } from './decode-profile-config.ts'
import { findCloudProfile } from './find-profile.ts'
import { configImageProblems } from './image-problems.ts'
import { namespacedMappingProblems } from './namespaced-mapping-problems.ts'
import { parseProfile, providerConfigIn } from './spec-images.ts'

/**
 * Validates a NamespacedCloudProfile against its parent (docs/contract/admission.md#namespacedcloudprofile). Ignores
 * one that is being deleted.
 */
export const validateNamespacedCloudProfile: Reviewer = async ({ object }, lookup) => {
  if (!isAbsent(object.metadata.deletionTimestamp)) return {}
  const parent = at(object, 'spec', 'parent')
  const kind = at(parent, 'kind')
  if (kind !== 'CloudProfile') {
    return refusedFor([
      `parent reference must be of kind CloudProfile (unsupported kind: ${JSON.stringify(kind ?? '')})`,
    ])
  }
  const found = await findCloudProfile(String(at(parent, 'name') ?? ''), lookup)
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
