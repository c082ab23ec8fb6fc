import { when } from '../../../lists/when.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../admission/admission.ts'
import { isAbsent } from '../json.ts'
import { providerConfigIn, readNamespacedProfile, readProfile } from '../profile.ts'
import { decodeProfileConfig } from './decode-profile-config.ts'
import { configImageProblems } from './image-problems.ts'
import { mappingProblems, namespacedMappingProblems } from './mapping-problems.ts'
import type { ImagesConfig, ProviderImages } from './provider-images.ts'

const path = 'spec.providerConfig'

/**
 * Returns a validator of CloudProfiles of a provider: every image has an image of the provider
 * (docs/contract/admission.md#cloudprofile).
 */
export const cloudProfileValidator =
  <C extends ImagesConfig>(provider: ProviderImages<C>): Reviewer =>
  ({ object }) => {
    const read = readProfile(object)
    if (!read.ok) return read.refused
    const decoded = decodeProfileConfig(provider, read.config, read.what)
    if (!decoded.ok) return refusedFor([decoded.message])
    const { config } = decoded
    const problems = [
      ...(provider.configProblems?.(config, 'CloudProfile') ?? []),
      ...when(config.machineImages.length === 0, {
        path: 'machineImages',
        message: `expected the ${provider.words.several} of at least one image, found none`,
        kind: 'required' as const,
      }),
      ...configImageProblems(config, read.spec.definitions, provider),
    ]
    return refusedFor([
      ...fieldErrors(problems, { at: path, within: config }),
      ...fieldErrors(mappingProblems(read.spec, config.machineImages, provider), { within: object }),
    ])
  }

/**
 * Returns a validator of NamespacedCloudProfiles of a provider, which compares them with their parents
 * (docs/contract/admission.md#namespacedcloudprofile). It ignores one that is being deleted.
 */
export const namespacedProfileValidator =
  <C extends ImagesConfig>(provider: ProviderImages<C>): Reviewer =>
  async ({ object }, lookup) => {
    if (!isAbsent(object.metadata.deletionTimestamp)) return {}
    const read = await readNamespacedProfile(object, lookup)
    if (!read.ok) return read.refused
    const value = providerConfigIn(object)
    const decoded = isAbsent(value)
      ? undefined
      : decodeProfileConfig(provider, value, `NamespacedCloudProfile ${JSON.stringify(object.metadata.name)}`)
    if (decoded?.ok === false) return refusedFor([decoded.message])
    const config = decoded?.config
    const problems =
      config === undefined
        ? []
        : [
            ...(provider.configProblems?.(config, 'NamespacedCloudProfile') ?? []),
            ...configImageProblems(config, read.parent.definitions, provider),
          ]
    const mapped = namespacedMappingProblems(read.own, config?.machineImages ?? [], read.parent, provider)
    return refusedFor([
      ...fieldErrors(problems, { at: path, within: config }),
      ...fieldErrors(mapped, { within: object }),
    ])
  }
