import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nodeFlagsOf, snapshotArgs, snapshotFile, writeSnapshot } from '../../build/images/images.ts'

/**
 * Returns why the figures of these bundles are unavailable, by the first missing file. Returns undefined if all files
 * exist.
 */
export const missingBundle = async (paths: readonly string[]): Promise<string | undefined> => {
  for (const path of paths)
    if ((await changedAt(path)) === undefined) return `${path} is not there; make bundle makes it`
  return undefined
}

/** The first arguments of an image's process, derived from the file of its program. */
export const startArgs = (bundle: string): readonly string[] =>
  snapshotArgs(dirname(bundle), nodeFlagsOf(basename(dirname(bundle))))

/** Builds the startup snapshot of a program, as in its image, if it is missing or older than the program. */
export const freshSnapshot = async (bundle: string): Promise<void> => {
  const folder = dirname(bundle)
  const [program, snapshot] = await Promise.all([bundle, join(folder, snapshotFile)].map(changedAt))
  if (program !== undefined && (snapshot ?? 0) < program) await writeSnapshot(folder)
}

const changedAt = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
