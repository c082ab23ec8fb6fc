import { rm } from 'node:fs/promises'
import { foundAt } from './found.ts'
import { pathBelow } from './path-below.ts'
import type { DirectoryStep } from './step.ts'

/**
 * Removes the directory of one shoot in the directory of a bucket. Its name includes the shoot's uid, so it is unique.
 * A link in place of this directory or of the bucket's is not followed.
 */
export const removeEntryDirectory = async (
  root: string,
  { bucket, name }: { readonly bucket: string; readonly name: string },
  { throwIfExpired }: DirectoryStep,
): Promise<'absent' | 'removed' | 'not ours'> => {
  const path = pathBelow(root, bucket, name)
  const found = [await foundAt(pathBelow(root, bucket)), await foundAt(path)]
  if (found.includes('nothing')) return 'absent'
  if (found.includes('something else')) return 'not ours'
  throwIfExpired()
  await rm(path, { recursive: true, force: true })
  return 'removed'
}
