import { setFlagsFromString } from 'node:v8'

/**
 * Disables the optimizing compilers, for a process that is mostly idle. This avoids loading 7 MB of Node's own code
 * into memory (docs/decisions/0064-memory.md). Set here, because all programs start with the same flags.
 */
export const startUnoptimized = (): void => {
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag)
}
