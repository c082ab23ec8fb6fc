import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AccountSnapshot } from '../../sandbox/aws/accounts/account.ts'
import { SnapshotError } from '../../sandbox/aws/accounts/snapshot.ts'
import { UsageError } from '../exit-code.ts'

const codeOf = (error: unknown): string | undefined => (error as { readonly code?: string }).code

/**
 * The account that a file holds; undefined when there is no such file. `flag`: the one that the file was given with.
 *
 * @throws UsageError when the file holds something else
 */
export const readState = async (
  path: string,
  read: (value: unknown) => AccountSnapshot,
  flag = '--snapshot',
): Promise<AccountSnapshot | undefined> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read (${codeOf(error)}); give another file with ${flag}`)
  }
  try {
    return read(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`${path} is no JSON; give another file with ${flag}`)
    if (error instanceof SnapshotError) throw new UsageError(`${path} is no account: ${error.message}`)
    throw error
  }
}

/** Writes an account, whole or not at all. */
export const writeState = async (path: string, snapshot: AccountSnapshot): Promise<void> => {
  const beside = `${path}.${process.pid}`
  try {
    await writeFile(beside, `${JSON.stringify(snapshot)}\n`, { mode: 0o600 })
    await rename(beside, path)
  } catch (error) {
    throw new Error(`${path} cannot be written (${codeOf(error)} in ${dirname(path)})`, { cause: error })
  }
}
