import * as z from 'zod'
import { decodeStrictly } from '../../../../shared/decode/decode-strictly.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'

const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform(items => items ?? [])
const text = z
  .string()
  .nullish()
  .transform(value => value ?? '')

const flavorSchema = z.strictObject({
  image: text,
  capabilities: z.record(z.string(), z.array(z.string())).nullish(),
})
const versionSchema = z.strictObject({ version: text, image: text, capabilityFlavors: list(flavorSchema) })

/** `spec.providerConfig` of a profile, without unknown fields. */
const profileConfigSchema = z.strictObject({
  apiVersion: z.literal('local.provider.extensions.gardener.cloud/v1alpha1'),
  kind: z.literal('CloudProfileConfig'),
  machineImages: list(z.strictObject({ name: text, versions: list(versionSchema) })),
  loadBalancer: z.strictObject({ image: text }).nullish(),
})

export type LocalImages = z.output<typeof profileConfigSchema>['machineImages']
export type LocalImageVersion = LocalImages[number]['versions'][number]

type DecodedImages =
  | { readonly ok: true; readonly images: LocalImages }
  | { readonly ok: false; readonly message: string }

/** Decodes the images of a `providerConfig`. @param what its owner, for the message: `CloudProfile "local"` */
export const decodeImages = (value: unknown, what: string): DecodedImages => {
  try {
    return { ok: true, images: decodeStrictly(profileConfigSchema, value).machineImages }
  } catch (error) {
    return { ok: false, message: `could not decode providerConfig of ${what}: ${messageOf(error)}` }
  }
}

/**
 * Returns the images of a NamespacedCloudProfile in the format of its parent: flavors if the parent has capabilities,
 * otherwise one image per version.
 */
export const inParentFormat = (images: LocalImages, hasCapabilities: boolean): LocalImages =>
  images.map(image => ({ ...image, versions: image.versions.map(one => versionAs(one, hasCapabilities)) }))

const versionAs = (version: LocalImageVersion, hasCapabilities: boolean): LocalImageVersion => {
  const [first] = version.capabilityFlavors
  if (hasCapabilities && first === undefined)
    return { version: version.version, image: '', capabilityFlavors: [{ image: version.image }] }
  if (!hasCapabilities && first !== undefined)
    return { version: version.version, image: first.image, capabilityFlavors: [] }
  return version
}

/** Returns the images as they are written into a status: without empty fields. */
export const writtenImages = (images: LocalImages) =>
  images.map(({ name, versions }) => ({
    name,
    versions: versions.map(({ version, image, capabilityFlavors }) => ({
      version,
      ...(image !== '' && { image }),
      ...(capabilityFlavors.length > 0 && { capabilityFlavors }),
    })),
  }))
