/** Images of the components that a shoot on AWS has: the table that is built in, and an operator's file in its place. */

export type { ImageSource } from '../../../../shared/images/images.ts'
export { findImage } from './find-image.ts'
export { type ImageName, imageTable } from './image-table.ts'
export { openImages } from './open-images.ts'
export { imageSettings } from './settings.ts'
