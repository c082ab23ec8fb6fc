import { isDeepStrictEqual } from 'node:util'
import { type EnforcedSchema, fieldSchema, isRecord, type JsonRecord } from '../schema/structural-schema.ts'

/**
 * A path in FieldsV1 notation. Steps: `f:spec` is a field, `k:{"type":"Ready"}` the list item with these keys, `v:"x"`
 * an item of a set.
 */
export type FieldPath = readonly string[]

/** Fields of an object, keyed by their path as JSON. */
export type FieldSet = ReadonlyMap<string, FieldPath>

const objectMetaSchema: EnforcedSchema = {
  properties: {
    finalizers: { 'x-kubernetes-list-type': 'set' },
    ownerReferences: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['uid'] },
  },
}

/** Returns the schema for merging an object: its own, with that of metadata. */
export const mergeSchema = (schema: EnforcedSchema | undefined): EnforcedSchema => ({
  ...schema,
  properties: { ...schema?.properties, metadata: objectMetaSchema },
})

/** Returns the step that identifies a list item: `k:…`, `v:…`, or undefined if the list is one value. */
const itemStep = (item: unknown, schema: EnforcedSchema | undefined): string | undefined => {
  const listType = schema?.['x-kubernetes-list-type']
  if (listType === 'set') return `v:${JSON.stringify(item)}`
  if (listType !== 'map' || !isRecord(item)) return undefined
  const keys = schema?.['x-kubernetes-list-map-keys'] ?? []
  return `k:${JSON.stringify(Object.fromEntries(keys.map(key => [key, item[key]])))}`
}

/** Metadata without owner. */
const unowned = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'generateName',
  'selfLink',
])

const isUnowned = (path: FieldPath): boolean => {
  const [first = '', second = ''] = path
  // `stringData` of a Secret is write-only, so it has no owner.
  if (first === 'f:apiVersion' || first === 'f:kind' || first === 'f:stringData') return true
  return first === 'f:metadata' && unowned.has(second.slice(2))
}

const isAtomic = (schema: EnforcedSchema | undefined): boolean =>
  schema?.['x-kubernetes-map-type'] === 'atomic'

/** Returns the leaves of an object: every field that can have an owner. */
export const fieldsOf = (object: JsonRecord, schema: EnforcedSchema): FieldSet => {
  const found = new Map<string, FieldPath>()
  const add = (path: FieldPath): void => {
    if (!isUnowned(path)) found.set(JSON.stringify(path), path)
  }
  const walk = (value: unknown, part: EnforcedSchema | undefined, path: FieldPath): void => {
    if (isRecord(value) && !isAtomic(part) && Object.keys(value).length > 0) {
      for (const [name, field] of Object.entries(value))
        walk(field, fieldSchema(part, name), [...path, `f:${name}`])
    } else if (Array.isArray(value) && value.length > 0 && itemStep(value[0], part) !== undefined) {
      for (const item of value) {
        const step = itemStep(item, part) ?? ''
        if (step.startsWith('k:')) walk(item, part?.items, [...path, step])
        else add([...path, step])
      }
    } else add(path)
  }
  walk(object, schema, [])
  return found
}

export const valueAt = (value: unknown, path: FieldPath, schema: EnforcedSchema | undefined): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (step.startsWith('f:')) {
    const name = step.slice(2)
    return isRecord(value) ? valueAt(value[name], rest, fieldSchema(schema, name)) : undefined
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return valueAt(
    items.find(item => itemStep(item, schema) === step),
    rest,
    schema?.items,
  )
}

/** Returns the value without the path. Removes maps and lists that become empty. */
export const withoutPath = (value: unknown, path: FieldPath, schema: EnforcedSchema | undefined): unknown => {
  const [step = '', ...rest] = path
  if (step.startsWith('f:') && isRecord(value)) {
    const name = step.slice(2)
    const { [name]: field, ...others } = value
    const left = rest.length === 0 ? undefined : withoutPath(field, rest, fieldSchema(schema, name))
    const isGone = left === undefined || isDeepStrictEqual(left, {}) || isDeepStrictEqual(left, [])
    return isGone ? others : { ...others, [name]: left }
  }
  if (!Array.isArray(value)) return value
  return value.flatMap((item: unknown): unknown[] => {
    if (itemStep(item, schema) !== step) return [item]
    return rest.length === 0 ? [] : [withoutPath(item, rest, schema?.items)]
  })
}

/** Merges an applied configuration into an object. Maps and keyed lists merge; everything else is replaced. */
export const mergeApplied = (
  present: unknown,
  applied: unknown,
  schema: EnforcedSchema | undefined,
): unknown => {
  if (isRecord(present) && isRecord(applied) && !isAtomic(schema)) {
    const merged: Record<string, unknown> = { ...present }
    for (const [name, field] of Object.entries(applied)) {
      merged[name] = mergeApplied(present[name], field, fieldSchema(schema, name))
    }
    return merged
  }
  if (!Array.isArray(present) || !Array.isArray(applied)) return applied
  if (applied.length === 0 || itemStep(applied[0], schema) === undefined) return applied
  const merged: unknown[] = [...present]
  for (const item of applied) {
    const step = itemStep(item, schema)
    const index = merged.findIndex(candidate => itemStep(candidate, schema) === step)
    if (index < 0) merged.push(item)
    else merged[index] = mergeApplied(merged[index], item, schema?.items)
  }
  return merged
}

export const minus = (set: FieldSet, other: FieldSet): FieldSet =>
  new Map([...set].filter(([key]) => !other.has(key)))

/** Returns `FieldsV1`: `{ "f:spec": { "f:size": {} } }`. */
export const toFieldsV1 = (set: FieldSet): JsonRecord => {
  const root: Record<string, unknown> = {}
  for (const path of set.values()) {
    let at = root
    for (const step of path) {
      at[step] ??= {}
      at = at[step] as Record<string, unknown>
    }
  }
  return root
}

/** Returns the leaves of `FieldsV1`. */
export const fromFieldsV1 = (fields: unknown): FieldSet => {
  const found = new Map<string, FieldPath>()
  const walk = (value: unknown, path: FieldPath): void => {
    const names = isRecord(value) ? Object.keys(value).filter(name => name !== '.') : []
    if (names.length === 0 && path.length > 0) found.set(JSON.stringify(path), path)
    for (const name of names) walk(isRecord(value) ? value[name] : undefined, [...path, name])
  }
  walk(fields, [])
  return found
}

/** Returns a field name as conflicts show it: `.spec.parts[name="a"].size`. */
export const fieldName = (path: FieldPath): string =>
  path
    .map(step => {
      const rest = step.slice(2)
      if (step.startsWith('f:')) return `.${rest}`
      if (step.startsWith('v:')) return `[=${rest}]`
      const keys: unknown = JSON.parse(rest)
      const named = Object.entries(isRecord(keys) ? keys : {}).map(
        ([name, value]) => `${name}=${JSON.stringify(value)}`,
      )
      return `[${named.join(',')}]`
    })
    .join('')
