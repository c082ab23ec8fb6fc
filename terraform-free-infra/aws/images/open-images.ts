import { readFileSync } from 'node:fs'
import type { ImageSource } from './image-source.ts'
import { imageTable } from './image-table.ts'
import { mergeImages } from './merge-images.ts'
import { readOverwrite } from './read-overwrite.ts'

/**
 * The images of a process: those of the table, with an operator's file in their place.
 * Throws an Error for a file that cannot be read.
 *
 * @param overwriteFile empty: there is none
 */
export const openImages = (overwriteFile: string): readonly ImageSource[] =>
  overwriteFile === ''
    ? imageTable
    : mergeImages(imageTable, readOverwrite(readFileSync(overwriteFile, 'utf8')))
