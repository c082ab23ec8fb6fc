/** Collects garbage before it asks the system for more: the same throughput in less memory. */
const everywhere = ['--optimize-for-size'] as const

/**
 * No compilers that optimize: 7 MB of Node's own code are then never read into memory. Only for what waits nearly all of its
 * time.
 */
const unhurried = ['--no-opt', '--no-maglev'] as const

/**
 * What node is started with, before the file of a program of this name, in its image, and when a compile cache or a snapshot is
 * made for it: V8 takes none that was made under other flags. Node refuses these in NODE_OPTIONS
 * (docs/decisions/0064-memory.md).
 */
export const nodeFlagsOf = (program: string): readonly string[] =>
  program === 'bridge' ? [...everywhere, ...unhurried] : everywhere
