/**
 * Writes the wire schemas of a client as JSON Lines: one schema per line, first operations, then errors, then the
 * schemas that they use. A nested schema is written as `#` and its line number, counted from 0.
 */
export const writtenSchemas = (client: Readonly<Record<string, unknown>>): string => {
  const exported = Object.values(client)
    .filter(isSchema)
    .sort(([, , a], [, , b]) => (a < b ? -1 : 1))
  const found = [operation, error].flatMap(wanted => exported.filter(([kind]) => kind === wanted))
  const numbers = new Map<unknown, number>(found.map((schema, index) => [schema, index]))
  const numberOf = (schema: WrittenSchema): number => {
    const known = numbers.get(schema)
    if (known !== undefined) return known
    numbers.set(schema, found.length)
    return found.push(schema) - 1
  }
  const written = (value: unknown): unknown => {
    if (typeof value === 'function') return written(value())
    if (isSchema(value)) return `#${numberOf(value)}`
    if (Array.isArray(value)) return value.map(written)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]))
    }
    if (typeof value === 'string' && value.startsWith('#'))
      throw new TypeError(`${value} looks like a schema`)
    return value
  }
  const lines: string[] = []
  // `found` grows during the loop: each schema appends the schemas that it names.
  for (const schema of found) lines.push(`${JSON.stringify(schema.map(written))}\n`)
  return lines.join('')
}

/** Smithy's static schemas: a number for the kind, a namespace, a name and more. */
export type WrittenSchema = readonly [kind: number, namespace: string, name: string, ...rest: unknown[]]

const operation = 9
const error = -3

/** A list of members may begin like a schema, but `unit` is its only possible text. */
const isSchema = (value: unknown): value is WrittenSchema =>
  Array.isArray(value) &&
  typeof value[0] === 'number' &&
  typeof value[1] === 'string' &&
  typeof value[2] === 'string' &&
  value[1] !== 'unit'
