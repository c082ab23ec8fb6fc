import { type ImageSource, openImages as openAnyImages } from '../../../../shared/images/images.ts'
import { imageTable } from './image-table.ts'

/** The images of the table, with those of the operator's file in their place. Throws an Error that says what is wrong with the file. */
export const openImages = (file: string): readonly ImageSource[] => openAnyImages(imageTable, file)
