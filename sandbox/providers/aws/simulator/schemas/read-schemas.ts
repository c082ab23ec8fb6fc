const newline = 10

/** Returns the start of each line, and the end. */
const linesOf = (text: Uint8Array): readonly number[] => {
  const starts = [0]
  for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) starts.push(at + 1)
  return starts
}

const isWhole = (schema: unknown): boolean => Array.isArray(schema) && (schema[0] === 9 || schema[0] === -3)

/**
 * Reads the operations and errors of a service from text. A line is parsed when its schema is first needed: EC2 has
 * more than 4,000, and few callers need a tenth of them.
 */
export const readSchemas = (text: Buffer): readonly unknown[] => {
  const starts = linesOf(text)
  const references = new Map<number, () => unknown>()

  /** Must return the same function each time, because Smithy caches per reference. */
  const reference = (line: number): (() => unknown) => {
    const known = references.get(line)
    if (known) return known
    let schema: unknown
    const read = () => (schema ??= schemaAt(line))
    references.set(line, read)
    return read
  }
  const revived = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith('#') ? reference(Number(value.slice(1))) : value
    if (Array.isArray(value)) return value.map(revived)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revived(part)]))
  }
  const schemaAt = (line: number): unknown =>
    revived(JSON.parse(text.toString('utf8', starts[line], starts[line + 1])))

  const schemas: unknown[] = []
  for (let line = 0; line < starts.length - 1; line++) {
    const schema = schemaAt(line)
    if (!isWhole(schema)) break
    schemas.push(schema)
  }
  return schemas
}
