import { posix } from 'node:path'
import { hereDocument, pathWord } from './shell-text.ts'

export interface ScriptFile {
  readonly path: string
  readonly content: FileContent
  /** Mode from 0 to 0o7777. Undefined: the machine's default. */
  readonly permissions?: number | undefined
}

/**
 * The content of a file. `clear`: unencoded text in the script, so that a placeholder in it can be replaced; a
 * here-document adds a final newline.
 */
export type FileContent =
  | { readonly kind: 'encoded'; readonly bytes: Uint8Array }
  | { readonly kind: 'clear'; readonly text: string }

/**
 * Returns script lines with folder, content and mode of each file, in order
 * (docs/contract/small-kinds.md#script-parts).
 */
export const writeFiles = (files: readonly ScriptFile[]): string => files.map(writeFile).join('')

const writeFile = ({ path, content, permissions }: ScriptFile): string =>
  [
    `\nmkdir -p ${pathWord(folderOf(path))}\n`,
    writeContent(path, content),
    permissions === undefined ? '' : `\nchmod "${modeOf(permissions)}" ${pathWord(path)}`,
  ].join('')

/** Returns script lines that write a file into an existing folder. */
export const writeContent = (path: string, content: FileContent): string => {
  const word = pathWord(path)
  if (content.kind === 'encoded') return `\ncat << EOF | base64 -d > ${word}\n${base64Of(content.bytes)}\nEOF`
  const { begin, end } = hereDocument(content.text)
  return `\ncat << ${begin} > ${word}\n${content.text}\n${end}`
}

/** Equals Go's `path.Dir`: returns the normalized folder. */
const folderOf = (path: string): string => {
  const folder = posix.normalize(path.slice(0, path.lastIndexOf('/') + 1))
  return folder.length > 1 ? folder.replace(/\/$/, '') : folder
}

const modeOf = (permissions: number): string => permissions.toString(8).padStart(4, '0')

const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
