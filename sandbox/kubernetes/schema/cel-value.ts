import { type EnforcedSchema, fieldSchema, isRecord } from './structural-schema.ts'

/** Converts a JSON value for CEL: integers of the schema become CEL ints (bigint), other numbers remain doubles. */
export const celValue = (value: unknown, schema: EnforcedSchema | undefined): unknown => {
  if (typeof value === 'number') {
    const isInt = schema?.type === 'integer' || schema?.['x-kubernetes-int-or-string'] === true
    return isInt && Number.isInteger(value) ? BigInt(value) : value
  }
  if (Array.isArray(value)) return value.map(item => celValue(item, schema?.items))
  if (!isRecord(value)) return value
  const converted: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    converted[name] = celValue(field, fieldSchema(schema, name))
  }
  return converted
}
