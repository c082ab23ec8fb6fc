import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CodedError } from '../../../../shared/contract/errors.ts'
import { foundAt, isMissing } from './found.ts'
import { pathBelow } from './path-below.ts'
import type { DirectoryStep } from './step.ts'

/** In a directory that is a bucket's: without it, one that holds anything is somebody else's. */
const mark = '.trellis-backupbucket'

/** Members of the group may write: etcd's backups run as another user. */
const mode = 0o775
const modeBits = 0o7777

interface BucketDirectory {
  readonly name: string
  /** The object says that it was made before: one without a mark is the Go extension's then, and this bucket's. */
  readonly wasMade: boolean
}

/**
 * Makes the directory of a bucket, or takes over the one that is there; nothing is written where it is as it shall be.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` where something stands in its place that is not the bucket's.
 */
export const keepBucketDirectory = async (
  root: string,
  { name, wasMade }: BucketDirectory,
  { throwIfExpired }: DirectoryStep,
): Promise<'same' | 'changed'> => {
  const path = pathBelow(root, name)
  let outcome: 'same' | 'changed' = 'same'
  const write = async (work: () => Promise<unknown>) => {
    throwIfExpired()
    await work()
    outcome = 'changed'
  }
  const found = await foundAt(path)
  if (found === 'nothing') await write(() => makeDirectory(root, path))
  const content = found === 'something else' ? undefined : await readdir(path)
  if (content === undefined || !(content.includes(mark) || wasMade || content.length === 0))
    throw new CodedError(
      `the directory of bucket ${name}: ${path} is there and not known to be the bucket's; move it away, or put an empty file ${mark} into it if it is`,
      { codes: ['ERR_CONFIGURATION_PROBLEM'] },
    )
  if (!content.includes(mark)) await write(() => writeFile(join(path, mark), `${name}\n`))
  if (((await stat(path)).mode & modeBits) !== mode) await write(() => chmod(path, mode))
  return outcome
}

const makeDirectory = async (root: string, path: string): Promise<void> => {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new Error(`making ${path}: there is no directory ${root}; a volume has to be mounted there`, {
      cause: error,
    })
  }
}

/** Removes the directory of a bucket with everything in it; what is not proved to be the bucket's stays. */
export const removeBucketDirectory = async (
  root: string,
  { name, wasMade }: BucketDirectory,
  { throwIfExpired }: DirectoryStep,
): Promise<'absent' | 'removed' | 'not ours'> => {
  const path = pathBelow(root, name)
  const found = await foundAt(path)
  if (found === 'nothing') return 'absent'
  if (found === 'something else') return 'not ours'
  const content = await readdir(path)
  if (!(content.includes(mark) || wasMade || content.length === 0)) return 'not ours'
  throwIfExpired()
  // Links in it are removed and not followed.
  await rm(path, { recursive: true, force: true })
  return 'removed'
}
