import { hasCapabilities } from '../../../../shared/contract/machine-capabilities.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { when } from '../../../../shared/lists/when.ts'
import { fieldErrors, type Reviewer, refusedFor } from '../../../../shared/webhooks/admission/admission.ts'
import {
  isAbsent,
  parseProfile,
  providerConfigIn,
  readNamespacedProfile,
  readProfile,
  withMergedStatus,
} from '../../../../shared/webhooks/garden/garden.ts'
import { imageProblems, mappingProblems, namespacedProblems } from './image-problems.ts'
import { decodeImages, inParentFormat, type LocalImages, writtenImages } from './profile-config.ts'

const path = 'spec.providerConfig'

/** Validates that every image of a CloudProfile has a container image (docs/contract/provider-local.md#admission). */
export const validateCloudProfile: Reviewer = ({ object }) => {
  const read = readProfile(object)
  if (!read.ok) return read.refused
  const decoded = decodeImages(read.config, read.what)
  if (!decoded.ok) return refusedFor([decoded.message])
  const { images } = decoded
  const problems = [
    ...when(images.length === 0, {
      path: `${path}.machineImages`,
      message: 'expected at least one machine image, found none',
      kind: 'required' as const,
    }),
    ...imageProblems(images, read.spec.definitions),
  ]
  // A mapping of invalid images would only repeat their problems.
  const shown = problems.length > 0 ? problems : mappingProblems(read.spec, images)
  return refusedFor(fieldErrors(shown, { within: object }))
}

/** Validates a NamespacedCloudProfile against its parent (docs/contract/provider-local.md#admission). */
export const validateNamespacedCloudProfile: Reviewer = async ({ object }, lookup) => {
  const read = await readNamespacedProfile(object, lookup)
  if (!read.ok) return read.refused
  const value = providerConfigIn(object)
  const what = `NamespacedCloudProfile ${JSON.stringify(object.metadata.name)}`
  const decoded = isAbsent(value) ? { ok: true as const, images: [] } : decodeImages(value, what)
  if (!decoded.ok) return refusedFor([decoded.message])
  const { definitions } = read.parent
  const images: LocalImages = inParentFormat(decoded.images, definitions.length > 0)
  return refusedFor(
    fieldErrors(
      [...imageProblems(images, definitions), ...namespacedProblems(read.own, images, read.parent)],
      { within: object },
    ),
  )
}

/**
 * Merges the images of a NamespacedCloudProfile into its status, in the format of the parent, once Gardener has written
 * the rest of it for this generation.
 */
export const mutateNamespacedCloudProfile: Reviewer = ({ object }) => {
  const value = providerConfigIn(object)
  if (isAbsent(value)) return {}
  const decoded = decodeImages(value, `NamespacedCloudProfile ${JSON.stringify(object.metadata.name)}`)
  if (!decoded.ok) return refusedFor([decoded.message])
  const merged = parseProfile(valueAt(object, 'status', 'cloudProfileSpec'))
  if (!merged.ok)
    return refusedFor(
      fieldErrors(merged.problems, {
        at: 'status.cloudProfileSpec',
        within: valueAt(object, 'status', 'cloudProfileSpec'),
      }),
    )
  const isFlavored = hasCapabilities({ machineCapabilities: merged.spec.definitions })
  const changed = withMergedStatus(object, writtenImages(inParentFormat(decoded.images, isFlavored)))
  return changed === object ? {} : { changed: { ...object, ...changed } }
}
