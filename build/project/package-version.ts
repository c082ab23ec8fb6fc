import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

/** Returns the version of Trellis: of its library, command line and images. */
export const packageVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}
