import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeFlags } from '../node-flags.ts'
import { mainFile } from './write-bundles.ts'

/** The startup snapshot of a program, beside its `mainFile`. */
export const snapshotFile = 'main.blob'

/** What node gets to start the program in a folder from its snapshot. The last one is where what lies beside is found. */
export const snapshotArgs = (folder: string): readonly string[] => [
  ...nodeFlags,
  ...['--snapshot-blob', join(folder, snapshotFile)],
  join(folder, mainFile),
]

/** What node gets to start it without: the same program, later. */
export const plainArgs = (folder: string): readonly string[] => [...nodeFlags, join(folder, mainFile)]

/**
 * What node gets to make the snapshot of the program in the folder that it is started in, so that it is the same each time:
 * seeds, of which a process draws its own, of hashes as well (V8's `--rehash-snapshot`); room for all that is made (MB), since
 * memory that was used before, after a collection, leaves bytes of old addresses between objects; and by `/proc/self/cwd` the
 * file has the same name wherever it lies. V8 takes a snapshot under other flags as well, those of `nodeFlags`.
 */
export const buildArgs: readonly string[] = [
  ...['--no-warnings', '--predictable', '--random-seed=1', '--hash-seed=1'],
  ...['--min-semi-space-size=128', '--max-semi-space-size=128'],
  ...['--snapshot-blob', snapshotFile, '--build-snapshot', `/proc/self/cwd/${mainFile}`],
]

/**
 * Makes the startup snapshot of the program in a folder, with the Node that will run it: another version refuses it. The
 * program gets no environment, so none of it can be in the snapshot. Rejects with what Node says.
 *
 * @param node how it is started: a program and what comes before its arguments
 */
export const writeSnapshot = async (
  folder: string,
  node: readonly string[] = [process.execPath],
): Promise<void> => {
  const [program = '', ...before] = node
  await promisify(execFile)(program, [...before, ...buildArgs], { cwd: folder, env: {} })
}
