import type { ImageSource } from './image-source.ts'

/**
 * The images with those that an operator wants in their place. An entry takes the place of the one with the same name and
 * the same versions and architectures, and keeps of it what it does not say; others are added
 * (docs/contract/control-plane.md#images).
 */
export const mergeImages = (
  images: readonly ImageSource[],
  overwrite: readonly ImageSource[],
): readonly ImageSource[] => {
  const merged = new Map(images.map(image => [keyOf(image), image]))
  for (const image of overwrite) merged.set(keyOf(image), mergedImage(merged.get(keyOf(image)), image))
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
