import { lstat } from 'node:fs/promises'

/** Returns the type of the entry at a path. A symbolic link is no directory, even if its target is one. */
export const foundAt = async (path: string): Promise<'nothing' | 'directory' | 'something else'> => {
  try {
    return (await lstat(path)).isDirectory() ? 'directory' : 'something else'
  } catch (error) {
    if (isMissing(error)) return 'nothing'
    throw error
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
