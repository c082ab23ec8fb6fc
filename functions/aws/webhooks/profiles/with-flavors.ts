import { isDeepStrictEqual } from 'node:util'
import { at, isJsonObject, type JsonObject } from '../garden/json.ts'
import type { ConfigImage } from './image-problems.ts'
import { flavorsIn, mappingsOf } from './mapping.ts'

/** `spec.machineImages` with the flavors of the config, and the versions that had their own flavors overwritten. */
export interface WithFlavors {
  readonly images: unknown
  /** `gardenlinux@1877.3.0` */
  readonly overwritten: readonly string[]
}

/**
 * Gives each version with AMIs in the config the flavors of these AMIs (docs/contract/admission.md#mutators), so that a
 * user writes them only once. Unknown fields of images and versions are retained.
 */
export const withFlavors = (machineImages: unknown, config: readonly ConfigImage[]): WithFlavors => {
  const overwritten: string[] = []
  // Gardener's own validation refuses a repeated version. Otherwise each repetition would get every flavor.
  const seen = new Set<string>()
  const mappings = mappingsOf(config)
  const images = eachOf(machineImages, image =>
    withVersions(image, version => {
      const name = String(at(image, 'name') ?? '')
      const text = String(at(version, 'version') ?? '')
      const key = JSON.stringify([name, text])
      const mapping = seen.has(key) ? undefined : mappings.find(name, text)
      seen.add(key)
      if (mapping === undefined) return version
      const flavors = flavorsIn(mapping)
      const before = at(version, 'capabilityFlavors')
      if (isDeepStrictEqual(before, flavors)) return version
      if (Array.isArray(before) && before.length > 0) overwritten.push(`${name}@${text}`)
      return { ...version, capabilityFlavors: flavors }
    }),
  )
  return { images, overwritten }
}

const withVersions = (image: JsonObject, change: (version: JsonObject) => JsonObject): JsonObject => {
  const versions = at(image, 'versions')
  const changed = eachOf(versions, change)
  return changed === versions ? image : { ...image, versions: changed }
}

/** Returns the same list if nothing changes. */
const eachOf = (list: unknown, change: (item: JsonObject) => JsonObject): unknown => {
  if (!Array.isArray(list)) return list
  const changed = list.map((item: unknown) => (isJsonObject(item) ? change(item) : item))
  return changed.some((item, index) => item !== list[index]) ? changed : list
}
