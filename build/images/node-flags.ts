/**
 * Node's flags before the file of a function or of the webhooks: collect garbage before requesting more memory. Node
 * refuses this flag in NODE_OPTIONS (docs/decisions/0064-memory.md).
 */
export const nodeFlags: readonly string[] = ['--optimize-for-size']

/**
 * The bridge creates a few kilobytes of garbage for each event. With `--optimize-for-size` a third of its time would be
 * collections. This size of the young generation, in MB, makes them rare.
 */
const bridgeFlags: readonly string[] = ['--max-semi-space-size=4']

/** Returns Node's flags for a program of an image. */
export const nodeFlagsOf = (program: string): readonly string[] =>
  program === 'bridge' || program === 'seed' ? bridgeFlags : nodeFlags
