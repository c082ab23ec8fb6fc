/**
 * What node is started with, before the file of a program, in every image, and when its compile cache is made: V8 takes no
 * cache that was made under other flags. Node refuses these in NODE_OPTIONS.
 *
 * `--optimize-for-size`: collects garbage before it asks the system for more. A function takes 12 to 18 MB less after a burst
 * and 10 MB less at rest, at the same throughput (docs/decisions/0064-memory.md).
 */
export const nodeFlags: readonly string[] = ['--optimize-for-size']
