import { type ImageSource, openImages as openAnyImages } from '../../../../shared/images/images.ts'
import { imageTable } from './image-table.ts'

/**
 * Returns the images of the table, overridden by those of the operator's file. Throws an Error that describes the
 * problem of the file.
 */
export const openImages = (file: string): readonly ImageSource[] => openAnyImages(imageTable, file)
