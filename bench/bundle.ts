import { access } from 'node:fs/promises'

/** Why the figures of these bundles cannot be given: the first of the files that is not there. Undefined: all are. */
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
