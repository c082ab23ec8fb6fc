import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { kubeconfigReader, type Program } from './programs.ts'

/** The file that a process starts with, in the folder of its program. */
export const mainFile = 'main.cjs'
const readerFile = 'kubeconfig.cjs'

export interface WrittenBundle {
  readonly name: string
  /** In the folder of the program, with their sizes in bytes. */
  readonly files: readonly { readonly file: string; readonly bytes: number }[]
}

/** A folder for each program below `into`: all that its image has beside Node. */
export async function* writeBundles(
  programs: readonly Program[],
  into: string,
): AsyncGenerator<WrittenBundle> {
  let reader: string | undefined
  for (const { name, source } of programs) {
    const folder = join(into, name)
    const beside = join(folder, readerFile)
    await mkdir(folder, { recursive: true })
    if (reader === undefined)
      await bundle({ source: kubeconfigReader, out: beside, kubeconfigReader: beside })
    else await copyFile(reader, beside)
    reader ??= beside
    await bundle({ source, out: join(folder, mainFile), kubeconfigReader: beside })
    const files = [mainFile, readerFile].map(async file => ({
      file,
      bytes: (await stat(join(folder, file))).size,
    }))
    yield { name, files: await Promise.all(files) }
  }
}
