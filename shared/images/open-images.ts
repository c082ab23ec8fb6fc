import { readFileSync } from 'node:fs'
import type { ImageSource } from './find-image.ts'
import { mergeImages } from './merge-images.ts'
import { readOverwrite } from './read-overwrite.ts'

/**
 * Returns the built-in images with the overrides of the operator's file. Throws an Error that names the file's problem.
 *
 * @param file path in `TRELLIS_IMAGEVECTOR_OVERWRITE`; empty: no file
 */
export const openImages = (builtIn: readonly ImageSource[], file: string): readonly ImageSource[] =>
  file === '' ? builtIn : mergeImages(builtIn, readOverwrite(readFileSync(file, 'utf8')))
