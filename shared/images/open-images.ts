import { readFileSync } from 'node:fs'
import type { ImageSource } from './image-source.ts'
import { mergeImages } from './merge-images.ts'
import { readOverwrite } from './read-overwrite.ts'

/**
 * The images that are built in, with those of the operator's file in their place. Throws an Error that says what is wrong with
 * the file.
 *
 * @param file that `TRELLIS_IMAGEVECTOR_OVERWRITE` names; empty: there is none
 */
export const openImages = (builtIn: readonly ImageSource[], file: string): readonly ImageSource[] =>
  file === '' ? builtIn : mergeImages(builtIn, readOverwrite(readFileSync(file, 'utf8')))
