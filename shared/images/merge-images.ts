import type { ImageSource } from './image-source.ts'

/**
 * The images with those that an operator wants in their place. An entry takes the place of the one with the same name and
 * the same versions and architectures, and keeps of it what it does not say; others are added
 * (docs/contract/control-plane.md#images). Throws an Error for one that is added and does not say where its image is.
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
        `image vector overwrite: ${name} for ${targetVersion}: expected a repository or ref, as it takes the place of no other`,
      )
    }
    merged.set(keyOf(image), result)
  }
  return [...merged.values()]
}

const keyOf = ({ name, targetVersion = '', architectures = [] }: ImageSource): string =>
  JSON.stringify([name, targetVersion, architectures])

const mergedImage = (old: ImageSource | undefined, image: ImageSource): ImageSource => {
  // A repository of the operator's takes the place of a whole reference, and the other way round.
  const ref = image.ref ?? (image.repository === undefined ? old?.ref : undefined)
  const { repository = old?.repository, tag = old?.tag } = image
  return { ...image, ...(ref === undefined ? { repository, tag } : { ref }) }
}
