/**
 * Images of components for every provider: chosen from a table by the shoot's Kubernetes version, with the overrides of
 * an operator's file. Each table is in the folder of its components.
 */

export type { ImageSource } from './find-image.ts'
export { findImage } from './find-image.ts'
export { mergeImages } from './merge-images.ts'
export { openImages } from './open-images.ts'
export { readOverwrite } from './read-overwrite.ts'
export { imageSettingsFor } from './settings.ts'
