import { findImage as findAnyImage, type ImageSource } from '../../../../shared/images/images.ts'
import type { ImageName } from './image-table.ts'

/** The reference of an image of AWS's components for a shoot's version of Kubernetes; throws a `CodedError` when there is none. */
export const findImage: (
  images: readonly ImageSource[],
  name: ImageName,
  kubernetesVersion: string,
) => string = findAnyImage
