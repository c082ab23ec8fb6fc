import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** A life of a shoot is 2 MB of text with many repetitions, and a fifteenth of it in this form. */
const params = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
}

export const writeCompressed = (file: string, text: string): Promise<void> =>
  writeFile(file, brotliCompressSync(text, { params }))

export const readCompressed = async (file: string): Promise<string> =>
  brotliDecompressSync(await readFile(file)).toString()
