import { rm } from 'node:fs/promises'
import { foundAt } from './found.ts'
import { pathBelow } from './path-below.ts'
import type { DirectoryStep } from './step.ts'

/**
 * Removes what one shoot has in the directory of a bucket. Its name has the uid of the shoot in it, so nobody else's has it; a
 * link in its place, or in that of the bucket, is not followed.
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
