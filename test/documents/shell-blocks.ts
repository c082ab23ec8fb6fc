import { readFile } from 'node:fs/promises'

/** A block of a document to be pasted into a shell. */
export interface ShellBlock {
  /** The paragraph before it. */
  readonly introduction: string
  readonly commands: string
  /** True if the block occupies its terminal. */
  readonly staysOpen: boolean
}

/** Returns the `sh` blocks of a document, in their order. */
export const shellBlocks = async (file: URL): Promise<readonly ShellBlock[]> => {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/([^\n]*)\n\n```sh\n([\s\S]*?)```/g)].map(([, before = '', commands = '']) => ({
    introduction: before,
    commands,
    staysOpen: /in a terminal of its own|runs until you press Ctrl-C/.test(before),
  }))
}
