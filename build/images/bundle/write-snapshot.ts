import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeFlags } from '../node-flags.ts'
import { mainFile } from './write-bundles.ts'

/** The startup snapshot of a program, beside its `mainFile`. */
export const snapshotFile = 'main.blob'

/**
 * Arguments of node to start the program in a folder from its snapshot. The last one is the path for finding the files
 * beside it.
 */
export const snapshotArgs = (folder: string, flags: readonly string[] = nodeFlags): readonly string[] => [
  ...flags,
  ...['--snapshot-blob', join(folder, snapshotFile)],
  join(folder, mainFile),
]

/** Arguments of node to start the same program without a snapshot, which is slower. */
export const plainArgs = (folder: string, flags: readonly string[] = nodeFlags): readonly string[] => [
  ...flags,
  join(folder, mainFile),
]

/**
 * Arguments of node to build a reproducible snapshot of the program in its working directory. Fixed seeds: a process
 * draws its own, also for hashes (V8's `--rehash-snapshot`). Memory for all objects (MB), because memory reused after a
 * collection leaves bytes of old addresses between objects. `/proc/self/cwd` gives the file the same name in any
 * folder. V8 also accepts a snapshot under other flags, those of `nodeFlags`.
 */
export const buildArgs: readonly string[] = [
  ...['--no-warnings', '--predictable', '--random-seed=1', '--hash-seed=1'],
  ...['--min-semi-space-size=128', '--max-semi-space-size=128'],
  ...['--snapshot-blob', snapshotFile, '--build-snapshot', `/proc/self/cwd/${mainFile}`],
]

/**
 * One thread for reads of files: with more, the end of two reads at once decides their order, and about 1 % of the
 * builds on a busy machine differ.
 */
export const buildEnv: Readonly<Record<string, string>> = { UV_THREADPOOL_SIZE: '1' }

/**
 * Builds the startup snapshot of the program in a folder. Use the Node that will run it: another version refuses it.
 * The program gets no environment but `buildEnv`, so the snapshot contains none. Rejects with the output of Node.
 *
 * @param node the program to start and the arguments before its own
 */
export const writeSnapshot = async (
  folder: string,
  node: readonly string[] = [process.execPath],
): Promise<void> => {
  const [program = '', ...before] = node
  await promisify(execFile)(program, [...before, ...buildArgs], { cwd: folder, env: buildEnv })
}

/** Returns the line in the output of Node that says why it wrote no snapshot. */
export const snapshotFailure = (error: unknown): string => {
  const lines = String(Object(error).stderr ?? error)
    .split('\n')
    .map(line => line.replace(/^# ?/, '').trim())
  return (
    lines.find(line => /Error: |cannot warm up|failed$/.test(line)) ?? lines.find(line => line !== '') ?? ''
  )
}
