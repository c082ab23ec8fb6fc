import { createWriteStream } from 'node:fs'
import { glob, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'

interface LayerOptions {
  /** The folder with the files. */
  readonly from: string
  /** The target folder in the image, without a leading slash. Empty: the root. */
  readonly at: string
  /** Path of the tar file. */
  readonly out: string
}

/**
 * Writes a reproducible tar file of a folder: sorted, dated 1970, owned by root, and read-only. Retains links and empty
 * folders.
 */
export const writeLayer = async ({ from, at, out }: LayerOptions): Promise<void> => {
  const tar = pack()
  const written = pipeline(tar, createWriteStream(out))
  const header = { mtime: new Date(0), uid: 0, gid: 0 }
  const folders = at.split('/').flatMap((_, index, parts) => parts.slice(0, index + 1).join('/') || [])
  for (const name of folders) tar.entry({ ...header, name: `${name}/`, type: 'directory', mode: 0o755 })
  for (const { path, isFolder, link, isProgram } of await entriesOf(from)) {
    const name = at === '' ? path : `${at}/${path}`
    if (link !== undefined) tar.entry({ ...header, name, type: 'symlink', linkname: link, mode: 0o777 })
    else if (isFolder) tar.entry({ ...header, name: `${name}/`, type: 'directory', mode: 0o755 })
    else tar.entry({ ...header, name, mode: isProgram ? 0o555 : 0o444 }, await readFile(join(from, path)))
  }
  tar.finalize()
  await written
}

interface Entry {
  readonly path: string
  readonly isFolder: boolean
  readonly isProgram: boolean
  readonly link?: string
}

/** Sorted by path, regardless of the file system. */
const entriesOf = async (folder: string): Promise<readonly Entry[]> => {
  const entries: Entry[] = []
  for await (const found of glob('**/*', { cwd: folder, withFileTypes: true })) {
    const path = join(found.parentPath, found.name).slice(join(folder, '/').length)
    const whole = join(folder, path)
    entries.push(
      found.isSymbolicLink()
        ? { path, isFolder: false, isProgram: false, link: await readlink(whole) }
        : { path, isFolder: found.isDirectory(), isProgram: ((await stat(whole)).mode & 0o100) !== 0 },
    )
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
}
