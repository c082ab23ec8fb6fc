import { readFile } from 'node:fs/promises'
import type { ConsolePage } from './server/page-html.ts'

/** The page in an installed package, beside this file. */
const prebuilt = new URL('./page.json', import.meta.url)
/** Builds the page in a clone, which has the packages for it. */
const builder = new URL('../../build/console/build-page.ts', import.meta.url)

/** Returns the program of the page: as the package contains it, or built from its sources in a clone. */
export const pageProgram = async (): Promise<ConsolePage> => {
  try {
    return JSON.parse(await readFile(prebuilt, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const { buildPage } = (await import(builder.href)) as { readonly buildPage: () => Promise<ConsolePage> }
  return buildPage()
}
