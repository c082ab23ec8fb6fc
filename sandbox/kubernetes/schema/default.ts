import { type EnforcedSchema, fieldSchema, isRecord, type JsonRecord } from './structural-schema.ts'

/** Sets the schema's defaults. A null that is not allowed counts as absent. */
export const applyDefaults = (value: unknown, schema: EnforcedSchema | undefined): unknown => {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.map(item => applyDefaults(item, items)) : value
  }
  return isRecord(value) ? defaultRecord(value, schema) : value
}

const defaultRecord = (value: JsonRecord, schema: EnforcedSchema): JsonRecord => {
  const filled: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const known = fieldSchema(schema, name)
    if (field === null && known && known.nullable !== true) continue
    filled[name] = applyDefaults(field, known)
  }
  for (const [name, known] of Object.entries(schema.properties ?? {})) {
    if (filled[name] !== undefined || known.default === undefined) continue
    filled[name] = applyDefaults(structuredClone(known.default), known)
  }
  return filled
}
