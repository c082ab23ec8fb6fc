/**
 * Images of components for every provider: chosen from a table by the shoot's Kubernetes version, with the overrides of
 * an operator's file. Each table is in the folder of its components.
 */

export { findImage, type ImageSource, mergeImages, openImages, readOverwrite } from './find-image.ts'
export { type ImageSettings, imageSettingsFor, imagesOfSettings } from './settings.ts'
