import { createHash } from 'node:crypto'

/*
 * Foreign texts in a bash script (docs/contract/small-kinds.md#what-a-script-may-contain). A text without special shell
 * characters is written like Gardener's extensions do, because changed user data patches every machine class. Any other
 * text is quoted so that a shell takes it literally.
 */

/** The default delimiter of a here-document. */
const plainDelimiter = 'EOF'

/** Matches text that is expanded, ends a string, or ends the here-document of the same command. */
const isSpecial = (text: string): boolean => /[$`\\]/.test(text) || text.includes(plainDelimiter)

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a path as one word that no command takes for an option. */
export const pathWord = (path: string): string => {
  if (!isSpecial(path) && !/^-|["\r\n]/.test(path)) return `"${path}"`
  return singleQuoted(path.startsWith('-') ? `./${path}` : path)
}

/** Returns a unit's name as one word, after `--` if a command would take it for an option. */
export const unitWord = (name: string): string => `${name.startsWith('-') ? '-- ' : ''}${singleQuoted(name)}`

/** Returns the delimiters of a here-document for a text. `begin` follows `<<`. */
export const hereDocument = (text: string): { readonly begin: string; readonly end: string } => {
  if (!isSpecial(text)) return { begin: plainDelimiter, end: plainDelimiter }
  const end = delimiterOf(text)
  return { begin: `'${end}'`, end }
}

/**
 * Returns the same delimiter for the same text, and one that the text does not contain: a text cannot contain its own
 * checksum.
 */
export const delimiterOf = (text: string, prefix = `${plainDelimiter}_`): string => {
  const end = `${prefix}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  return text.includes(end) ? delimiterOf(text, `${end}_`) : end
}
