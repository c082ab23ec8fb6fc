/**
 * Images of components, whatever the provider: chosen from a table by the shoot's version of Kubernetes, with an operator's
 * file in the table's place where it says so. Each table belongs to who has the components.
 */
export { findImage } from './find-image.ts'
export type { ImageSource } from './image-source.ts'
export { mergeImages } from './merge-images.ts'
export { openImages } from './open-images.ts'
export { readOverwrite } from './read-overwrite.ts'
export { imageSettingsFor } from './settings.ts'
