import type { ImageSource } from './find-image.ts'

/**
 * Returns the images with the operator's overrides. An override replaces the entry with the same name, versions and
 * architectures and inherits omitted fields; other overrides are added (docs/contract/control-plane.md#images). Throws
 * an Error for an added one without a location of its image.
 */
export const mergeImages = (
  images: readonly ImageSource[],
  overwrite: readonly ImageSource[],
): readonly ImageSource[] => {
  const merged = new Map(images.map(image => [keyOf(image), image]))
  const known = new Set(images.map(({ name }) => name))
  for (const image of overwrite) {
    const result = mergedImage(merged.get(keyOf(image)), image)
    if (known.has(image.name) && result.ref === undefined && result.repository === undefined) {
      const { name, targetVersion = 'all versions' } = image
      throw new Error(
        `image vector overwrite: ${name} for ${targetVersion}: expected a repository or ref, because no default image matches`,
      )
    }
    merged.set(keyOf(image), result)
  }
  return [...merged.values()]
}

const keyOf = ({ name, targetVersion = '', architectures = [] }: ImageSource): string =>
  JSON.stringify([name, targetVersion, architectures])

const mergedImage = (old: ImageSource | undefined, image: ImageSource): ImageSource => {
  // An operator's repository replaces a complete reference, and vice versa.
  const ref = image.ref ?? (image.repository === undefined ? old?.ref : undefined)
  const { repository = old?.repository, tag = old?.tag } = image
  return { ...image, ...(ref === undefined ? { repository, tag } : { ref }) }
}
