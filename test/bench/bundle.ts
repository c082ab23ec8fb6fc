import { access } from 'node:fs/promises'

/**
 * Returns why the figures of these bundles are unavailable, by the first missing file. Returns undefined if all files
 * exist.
 */
export const missingBundle = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (!isThere) return `${path} is not there; make bundle makes it`
  }
  return undefined
}
