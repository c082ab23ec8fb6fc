import { join } from 'node:path'

/** The files of a program, as images contain them. */
export const mainFile = 'main.cjs'
export const snapshotFile = 'main.blob'

/** Node's flags of every image (build/images/node-flags.ts). */
const flags = ['--optimize-for-size']

/** Arguments of node to start the program in a folder from its snapshot. */
export const snapshotArgs = (folder: string): readonly string[] => [
  ...flags,
  ...['--snapshot-blob', join(folder, snapshotFile)],
  join(folder, mainFile),
]

/** Arguments of node to start it without a snapshot. */
export const plainArgs = (folder: string): readonly string[] => [...flags, join(folder, mainFile)]
