import { type EnforcedSchema, isRecord } from './structural-schema.ts'

/** Returns the previous state of a list item. It is known only in lists of type `map`, by their keys. */
export const formerItem = (item: unknown, old: unknown, schema: EnforcedSchema): unknown => {
  const keys = schema['x-kubernetes-list-map-keys']
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old) || !isRecord(item)) {
    return undefined
  }
  return old.find(candidate => isRecord(candidate) && keys.every(key => candidate[key] === item[key]))
}
