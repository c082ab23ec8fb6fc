/**
 * What node is started with, before the file of a program, in every image: it collects garbage before it asks the system for
 * more, the same throughput in less memory. Node refuses this in NODE_OPTIONS (docs/decisions/0064-memory.md).
 */
export const nodeFlags: readonly string[] = ['--optimize-for-size']
