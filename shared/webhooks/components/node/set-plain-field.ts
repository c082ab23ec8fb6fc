/** A key of letters, alone or with a value that needs no look at YAML's rules; or an entry of a list with such a value. */
const plainLine =
  /^( *)(?:([A-Za-z][\w.-]*):(?= \S|$)|-(?= \S)) ?((?:-?[A-Za-z0-9/](?:[\w./%-]|:(?=\S))*|"[\w ./%:-]*"|\{\}|\[\])?)$/
/** Keys that are no texts. */
const noName = /^(?:true|false|null)$/i

/** Fields at the top that the text must have, with these values. */
type Required = Readonly<Record<string, string>>

/**
 * As a parser of YAML would have it, for texts as Go writes them, in a tenth of the time: blocks that are two blanks deeper, lists
 * as deep as their key, plain values. The text with a field at its top set, every other byte as it was; undefined where only a
 * parser can tell: any other text, one that is broken, and one without the required fields.
 */
export const setPlainField = (
  text: string,
  field: string,
  value: boolean,
  required: Required,
): string | undefined => {
  if (!text.endsWith('\n')) return undefined
  const missing = new Map(Object.entries(required))
  let depth = 0
  /** What the line before leaves open: `key` one without a value, `list` a list. */
  let open: 'nothing' | 'key' | 'list' = 'nothing'
  let start = 0
  let before: number | undefined
  let present: { readonly from: number; readonly to: number } | undefined
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const [line, indent = '', key, content = ''] = plainLine.exec(text.slice(start, end)) ?? []
    if (line === undefined) return undefined
    if (key === undefined) {
      if (open === 'nothing' || indent.length !== depth || content === '') return undefined
      open = 'list'
    } else {
      const isDeeper = open === 'key' && indent.length === depth + 2
      if (noName.test(key) || (!isDeeper && (indent.length > depth || indent.length % 2 !== 0)))
        return undefined
      depth = indent.length
      open = content === '' ? 'key' : 'nothing'
      if (depth === 0) {
        if (key in required) {
          if (missing.get(key) !== content) return undefined
          missing.delete(key)
        }
        if (key === field) {
          if (present !== undefined || (content !== 'true' && content !== 'false')) return undefined
          present = { from: end - content.length, to: end }
        } else if (key > field) before ??= start
      }
    }
    start = end + 1
  }
  if (missing.size > 0) return undefined
  if (present !== undefined) return `${text.slice(0, present.from)}${value}${text.slice(present.to)}`
  const at = before ?? text.length
  return `${text.slice(0, at)}${field}: ${value}\n${text.slice(at)}`
}
