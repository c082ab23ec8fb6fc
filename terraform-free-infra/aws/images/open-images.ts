import { readFileSync } from 'node:fs'
import { messageOf } from '../../../shared/contract/message-of.ts'
import type { ImageSource } from './image-source.ts'
import { imageTable } from './image-table.ts'
import { mergeImages } from './merge-images.ts'
import { readOverwrite } from './read-overwrite.ts'

/**
 * The images that are built in, with those of the operator's file in their place. Throws an Error that names the setting and
 * what is wrong with the file.
 *
 * @param file that `TRELLIS_IMAGEVECTOR_OVERWRITE` names; empty: there is none
 */
export const openImages = (file: string): readonly ImageSource[] => {
  if (file === '') return imageTable
  try {
    return mergeImages(imageTable, readOverwrite(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new Error(`TRELLIS_IMAGEVECTOR_OVERWRITE: ${messageOf(error)}`, { cause: error })
  }
}
