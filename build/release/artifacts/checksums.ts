import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The name of the file with the checksums, in the format of sha256sum. */
export const checksumFile = 'SHA256SUMS'

/** Writes the checksum of each file of a folder into `SHA256SUMS`. Returns their names. */
export const writeChecksums = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter(entry => entry.isFile() && !entry.name.startsWith('.') && !entry.name.startsWith(checksumFile))
    .map(({ name }) => name)
    .toSorted()
  const lines = names.map(async name => {
    const hash = createHash('sha256').update(await readFile(join(folder, name)))
    return `${hash.digest('hex')}  ${name}\n`
  })
  await writeFile(join(folder, checksumFile), (await Promise.all(lines)).join(''))
  return names
}
