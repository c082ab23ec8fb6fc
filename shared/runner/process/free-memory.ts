import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the memory that the container may still take, in bytes (cgroup v2). Cached files that the kernel can drop
 * count as free. Undefined if there is no limit, or none that can be read.
 */
export const freeMemory = (folder = '/sys/fs/cgroup'): number | undefined => {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    const limit = Number(read('memory.max'))
    const [, droppable = '0'] = /^inactive_file (\d+)$/m.exec(read('memory.stat')) ?? []
    const free = limit - Number(read('memory.current')) + Number(droppable)
    return Number.isFinite(free) ? free : undefined
  } catch {
    return undefined
  }
}
