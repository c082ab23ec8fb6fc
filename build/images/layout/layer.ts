import { createWriteStream } from 'node:fs'
import { glob, readFile, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'

/** What a layer holds of a file system: nothing that differs from one machine to the next. */
interface LayerOptions {
  /** Where the files are now. */
  readonly from: string
  /** The folder of the image that they are in, without a slash before it; empty: its root. */
  readonly at: string
  /** The tar file to write. */
  readonly out: string
}

/**
 * Writes a tar file of a folder that is the same for the same files: sorted, all of 1970, root's, and writable by nobody.
 * Links and empty folders are kept.
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

/** In the order of their paths, whatever the file system's. */
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
