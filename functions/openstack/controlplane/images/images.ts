import {
  findImage as findAnyImage,
  type ImageSource,
  imageSettingsFor,
  openImages as openAnyImages,
} from '../../../../shared/images/images.ts'
import { imageTable, type OpenStackImage } from './image-table.ts'

/** Images of the components of a shoot on OpenStack: the built-in table, overridden by an operator's file. */

export type { ImageSource } from '../../../../shared/images/images.ts'
export { imageTable, type OpenStackImage } from './image-table.ts'

/**
 * Returns the image reference of a component for a shoot's Kubernetes version. Throws a `CodedError` if there is none.
 */
export const findImage: (
  images: readonly ImageSource[],
  name: OpenStackImage,
  kubernetesVersion: string,
) => string = findAnyImage

/**
 * Returns the images of the table, overridden by those of the operator's file. Throws an Error that describes the
 * problem of the file.
 */
export const openImages = (file: string): readonly ImageSource[] => openAnyImages(imageTable, file)

export const imageSettings = imageSettingsFor(imageTable)
