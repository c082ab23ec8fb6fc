import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A file or folder of the node in a container. */
export interface ContainerMount {
  readonly source: string
  readonly target: string
  readonly readOnly: boolean
}

/**
 * Creates the folders for a container's root file system in `room`: an upper layer over `lower` with all mount points.
 * A mount point is created in the upper layer, where no symbolic link of the image can lead out of it.
 */
export const prepareRoot = async (
  room: string,
  lower: string,
  mounts: readonly ContainerMount[],
): Promise<void> => {
  for (const name of ['root', 'upper/proc', 'work']) await mkdir(join(room, name), { recursive: true })
  for (const { source, target } of mounts) {
    const isFolder = (await stat(source)).isDirectory()
    await createFolders(room, lower, isFolder ? target : dirname(target))
    if (!isFolder) await writeFile(join(room, 'upper', target), '')
  }
}

/** Creates a folder and its parents with the modes and owners of the image's folders. */
const createFolders = async (room: string, lower: string, target: string): Promise<void> => {
  let path = ''
  for (const part of target.split('/').filter(name => name !== '')) {
    path = `${path}/${part}`
    const copy = join(room, 'upper', path)
    const created = await mkdir(copy, { recursive: true })
    if (created === undefined) continue
    const original = await stat(join(lower, path)).catch(() => undefined)
    if (!original?.isDirectory()) continue
    await chmod(copy, original.mode & 0o7777)
    await chown(copy, original.uid, original.gid)
  }
}
