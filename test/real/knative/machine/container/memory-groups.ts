import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Limits the memory of one container. */
export interface MemoryGroup {
  /** Its folder in the file system of control groups. */
  readonly path: string
  /** Returns true if the kernel has killed a process because of the limit. */
  hasKilled(): Promise<boolean>
  remove(): Promise<void>
}

export interface MemoryGroups {
  add(limitBytes: number): Promise<MemoryGroup | undefined>
}

const memoryController = '/sys/fs/cgroup/memory'

/** Returns the folder of a machine's groups. The outer side removes it, because the machine may be killed. */
export const memoryGroupFolder = (name: string): string => join(memoryController, name)

/**
 * Creates groups of control groups version 1 below a folder. Without them, `missing` is called once and limits have no
 * effect.
 */
export const createMemoryGroups = async (
  folder: string,
  missing: (error: unknown) => void,
): Promise<MemoryGroups> => {
  try {
    // Throws in a machine with version 2 only.
    await readFile(join(memoryController, 'memory.limit_in_bytes'))
    await mkdir(folder)
  } catch (error) {
    missing(error)
    return { add: async () => undefined }
  }
  let count = 0
  return {
    add: async limitBytes => {
      const path = join(folder, String(count++))
      await mkdir(path)
      await writeFile(join(path, 'memory.limit_in_bytes'), String(Math.floor(limitBytes)))
      return {
        path,
        hasKilled: async () =>
          /^oom_kill [1-9]/m.test(await readFile(join(path, 'memory.oom_control'), 'utf8')),
        // The outer side also removes the groups.
        remove: () => rmdir(path).catch(() => {}),
      }
    },
  }
}
