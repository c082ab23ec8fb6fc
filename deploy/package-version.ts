import { readFile } from 'node:fs/promises'

/** Returns the version of this package: of the chart, the images and the command line. */
export const packageVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return version
}
