import { createHash } from 'node:crypto'

/*
 * Texts of others in a script of bash (docs/contract/small-kinds.md#what-a-script-may-contain). A text that means nothing to
 * a shell is written as Gardener's own extensions write it: user data that changes patches every class of machines. Any
 * other one is quoted so that a shell takes it as it is.
 */

/** What ends a here-document that needs no other end. */
export const plainDelimiter = 'EOF'

/** What is expanded, ends a string, or ends the here-document of the same command. */
const isSpecial = (text: string): boolean => /[$`\\]/.test(text) || text.includes(plainDelimiter)

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A path as one word, which no command takes for an option. */
export const pathWord = (path: string): string => {
  if (!isSpecial(path) && !/^-|["\r\n]/.test(path)) return `"${path}"`
  return singleQuoted(path.startsWith('-') ? `./${path}` : path)
}

/** A name of a unit as one word; with `--` before it where a command would take it for an option. */
export const unitWord = (name: string): string => `${name.startsWith('-') ? '-- ' : ''}${singleQuoted(name)}`

/** How a here-document of a text begins and ends: `begin` is what stands behind `<<`. */
export const hereDocument = (text: string): { readonly begin: string; readonly end: string } => {
  if (!isSpecial(text)) return { begin: plainDelimiter, end: plainDelimiter }
  const end = delimiterOf(text)
  return { begin: `'${end}'`, end }
}

/** The same for the same text, and none of its lines: a text that has its own checksum in it cannot be written. */
export const delimiterOf = (text: string, prefix = `${plainDelimiter}_`): string => {
  const end = `${prefix}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  return text.includes(end) ? delimiterOf(text, `${end}_`) : end
}
