import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { foundAt, isMissing } from './found.ts'
import { pathBelow } from './path-below.ts'
import type { DirectoryStep } from './step.ts'

/** Marks the directory of a bucket. A directory with content but without this mark is foreign. */
const mark = '.trellis-backupbucket'

/** Members of the group may write: etcd backups run as another user. */
const mode = 0o775
const modeBits = 0o7777

interface BucketDirectory {
  readonly name: string
  /**
   * True if the object was already created according to its status. A directory without a mark then is from the Go
   * extension and belongs to this bucket.
   */
  readonly wasMade: boolean
}

/**
 * Creates the directory of a bucket, or adopts the existing one. Writes nothing if it is already correct.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` if the path holds something that does not belong to the
 * bucket.
 */
export const ensureBucketDirectory = async (
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
    throw configurationProblem(
      `the directory of bucket ${name}: ${path} already exists and may not belong to the bucket. Move it away, or if it belongs to the bucket, create an empty file ${mark} in it`,
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
    throw new Error(`cannot create ${path}: the directory ${root} does not exist. Mount a volume there`, {
      cause: error,
    })
  }
}

/**
 * Removes the directory of a bucket with all its content. Retains everything that does not provably belong to the
 * bucket.
 */
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
  // Removes links inside, and does not follow them.
  await rm(path, { recursive: true, force: true })
  return 'removed'
}
