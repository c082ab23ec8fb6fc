import { setFlagsFromString } from 'node:v8'

/**
 * For a process that waits nearly all of its time: without the compilers that optimize, so that 7 MB of Node's own code are never
 * read into memory (docs/decisions/0064-memory.md). Set here, since every program is started with the same flags.
 */
export const startUnoptimized = (): void => {
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag)
}
