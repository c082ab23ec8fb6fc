import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the command that runs the Node of an unpacked base on this machine. It uses the base's own loader and
 * libraries, because the machine's may be older.
 *
 * @param program path of Node in the image
 */
export const nodeOfBase = async (root: string, program: string): Promise<readonly string[]> => {
  const node = join(root, program)
  if (!existsSync(node)) throw new Error(`the base image has no ${program}, its entry point`)
  const loaders: string[] = []
  for await (const found of glob('{lib64,lib,usr/lib64,usr/lib}/ld-linux-*.so.*', { cwd: root }))
    loaders.push(found)
  const [loader] = loaders
  if (loader === undefined) return [node]
  const folders: string[] = []
  for await (const found of glob('{lib,usr/lib}/*-linux-gnu', { cwd: root })) folders.push(join(root, found))
  return [join(root, loader), '--library-path', folders.sort().join(':'), node]
}
