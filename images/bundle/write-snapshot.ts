import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mainFile } from './write-bundles.ts'

/** The startup snapshot of a program, beside its `mainFile`. */
export const snapshotFile = 'main.blob'

/** What a process begins with: `node` and these, in the folder of its program. The last one is where what lies beside is found. */
export const snapshotArgs = (folder: string): readonly string[] => [
  '--snapshot-blob',
  join(folder, snapshotFile),
  join(folder, mainFile),
]

/**
 * Makes the startup snapshot of the program in a folder, with the Node that will run it: another version refuses it. The
 * program gets no environment, so none of it can be in the snapshot. Rejects with what Node says.
 */
export const writeSnapshot = async (folder: string, node: string = process.execPath): Promise<void> => {
  await promisify(execFile)(
    node,
    [
      ...['--no-warnings', '--predictable', '--random-seed=1', '--hash-seed=1'],
      ...['--snapshot-blob', snapshotFile, '--build-snapshot', `/proc/self/cwd/${mainFile}`],
    ],
    { cwd: folder, env: {} },
  )
}
