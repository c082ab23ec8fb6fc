import { isRecord, type JsonRecord, type StructuralSchema } from './structural-schema.ts'

/** Fills in the schema's defaults. A null where null is not allowed and a default exists counts as absent. */
export const applyDefaults = (value: unknown, schema: StructuralSchema | undefined): unknown => {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    const { items } = schema
    return items && hasDefaults(items) ? value.map(item => applyDefaults(item, items)) : value
  }
  return isRecord(value) && hasDefaults(schema) ? defaultRecord(value, schema) : value
}

const defaultRecord = (value: JsonRecord, schema: StructuralSchema): JsonRecord => {
  const filled: Record<string, unknown> = { ...value }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const missing = filled[name] === undefined || (filled[name] === null && field.nullable !== true)
    if (missing && field.default !== undefined) filled[name] = structuredClone(field.default)
    if (filled[name] !== undefined) filled[name] = applyDefaults(filled[name], field)
  }
  const { additionalProperties } = schema
  if (isRecord(additionalProperties)) {
    for (const [name, field] of Object.entries(filled)) {
      if (!Object.hasOwn(schema.properties ?? {}, name))
        filled[name] = applyDefaults(field, additionalProperties)
    }
  }
  return filled
}

const known = new WeakMap<StructuralSchema, boolean>()

/** Whether there is a default anywhere below; most schemas have none, and then nothing is copied. */
const hasDefaults = (schema: StructuralSchema): boolean => {
  const answer = known.get(schema)
  if (answer !== undefined) return answer
  const children: StructuralSchema[] = Object.values(schema.properties ?? {})
  if (schema.items) children.push(schema.items)
  if (isRecord(schema.additionalProperties)) children.push(schema.additionalProperties)
  const found = children.some(child => child.default !== undefined || hasDefaults(child))
  known.set(schema, found)
  return found
}
