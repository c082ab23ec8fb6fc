import {
  childPath,
  type EnforcedSchema,
  fieldSchema,
  isRecord,
  type JsonRecord,
} from './structural-schema.ts'

/**
 * Removes fields that are not in the schema, as kube-apiserver does before it stores a custom resource. Their paths are
 * added to `unknown`. The value itself is not modified; if nothing is removed, the same value is returned.
 */
export const prune = (
  value: unknown,
  schema: EnforcedSchema | undefined,
  path: string,
  unknown: string[],
): unknown => {
  if (schema === undefined) return value
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return value
    return value.map((item, index) => prune(item, items, `${path}[${index}]`, unknown))
  }
  return isRecord(value) ? pruneRecord(value, schema, path, unknown) : value
}

/** Fields that every object and every embedded object may have. */
const objectFields = new Set(['apiVersion', 'kind', 'metadata'])

const pruneRecord = (
  value: JsonRecord,
  schema: EnforcedSchema,
  path: string,
  unknown: string[],
): JsonRecord => {
  const keepsUnknown =
    schema.additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  const isObject = path === '' || schema['x-kubernetes-embedded-resource'] === true
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const known = fieldSchema(schema, name)
    if (isObject && objectFields.has(name)) kept[name] = field
    else if (known) kept[name] = prune(field, known, childPath(path, name), unknown)
    else if (keepsUnknown) kept[name] = field
    else unknown.push(childPath(path, name))
  }
  return kept
}
