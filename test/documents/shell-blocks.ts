import { readFile } from 'node:fs/promises'

/** A block of a document to be pasted into a shell. */
export interface ShellBlock {
  /** The paragraph before it. */
  readonly introduction: string
  readonly commands: string
  /** It is meant for a terminal that it keeps busy. */
  readonly staysOpen: boolean
}

/** The `sh` blocks of a document, in their order. */
export const shellBlocks = async (file: URL): Promise<readonly ShellBlock[]> => {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/([^\n]*)\n\n```sh\n([\s\S]*?)```/g)].map(([, before = '', commands = '']) => ({
    introduction: before,
    commands,
    staysOpen: /in a terminal of its own/.test(before),
  }))
}
