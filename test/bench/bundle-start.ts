import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { nodeFlagsOf, snapshotArgs, snapshotFile, writeSnapshot } from '../../build/images/images.ts'

/** The first arguments of an image's process, derived from the file of its program. */
export const startArgs = (bundle: string): readonly string[] =>
  snapshotArgs(dirname(bundle), nodeFlagsOf(basename(dirname(bundle))))

/** Builds the startup snapshot of a program, as in its image, if it is missing or older than the program. */
export const freshSnapshot = async (bundle: string): Promise<void> => {
  const folder = dirname(bundle)
  const [program, snapshot] = await Promise.all([bundle, join(folder, snapshotFile)].map(changedAt))
  if (program !== undefined && (snapshot ?? 0) < program) await writeSnapshot(folder)
}

const changedAt = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).mtimeMs
  } catch {
    return undefined
  }
}
