import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { bundle, findPrograms, mainFile } from '../../../build/images/images.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Bundles a program of the repository with plugins, into `dist/bench/<variant>`. Returns its file. */
export const writeVariant = async (
  program: string,
  variant: string,
  plugins: readonly Plugin[],
): Promise<string> => {
  const found = (await findPrograms()).find(({ name }) => name === program)
  if (found === undefined) throw new Error(`there is no program ${program}`)
  const folder = join('dist/bench', `${program}-${variant}`)
  await mkdir(folder, { recursive: true })
  const out = join(folder, mainFile)
  await bundle({ source: found.source, out, plugins })
  return out
}

/** Replaces a file of the repository by a module with these contents. */
export const replaceFile = (file: string, contents: string): Plugin => ({
  name: 'replace-file',
  setup: ({ onLoad }) => {
    const path = join(root, file)
    onLoad({ filter: /\.ts$/ }, args =>
      args.path === path ? { contents, loader: 'ts', resolveDir: root } : undefined,
    )
  },
})
