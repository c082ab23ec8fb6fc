import { findImage as findAnyImage, type ImageSource } from '../../../../shared/images/images.ts'
import type { ImageName } from './image-table.ts'

/**
 * Returns the image reference of an AWS component for a shoot's Kubernetes version. Throws a `CodedError` if there is
 * none.
 */
export const findImage: (
  images: readonly ImageSource[],
  name: ImageName,
  kubernetesVersion: string,
) => string = findAnyImage
