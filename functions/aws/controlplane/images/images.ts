/** Images of the components of a shoot on AWS: the built-in table, overridden by an operator's file. */

export type { ImageSource } from '../../../../shared/images/images.ts'
export { findImage } from './find-image.ts'
export { type ImageName, imageTable } from './image-table.ts'
export { openImages } from './open-images.ts'
export { imageSettings } from './settings.ts'
