import { isRecord, type JsonRecord } from '../schema/structural-schema.ts'

/**
 * Lists of the built-in kinds that are merged by a key instead of replaced (`patchMergeKey` in the Go types of
 * k8s.io/api). Merged lists of plain values have the key ''.
 */
const mergeKeys: Readonly<Record<string, string>> = {
  'metadata.ownerReferences': 'uid',
  'metadata.finalizers': '',
  'spec.ports': 'port',
  'status.conditions': 'type',
  secrets: 'name',
}

/** Strategic merge patch, for the built-in kinds. */
export const strategicMergePatch = (target: unknown, patch: unknown, path = ''): unknown => {
  if (!isRecord(patch)) return patch
  if (patch.$patch === 'replace') return omitDirectives(patch)
  if (patch.$patch === 'delete') return {}
  const base = isRecord(target) ? target : {}
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(patch)) {
    const at = path === '' ? name : `${path}.${name}`
    if (name.startsWith('$deleteFromPrimitiveList/')) {
      const list = name.slice('$deleteFromPrimitiveList/'.length)
      const dropped: readonly unknown[] = Array.isArray(value) ? value : []
      const present: readonly unknown[] = Array.isArray(result[list]) ? result[list] : []
      result[list] = present.filter(item => !dropped.includes(item))
    } else if (name.startsWith('$retainKeys')) retainOnly(result, value)
    else if (name.startsWith('$')) continue
    else if (value === null) delete result[name]
    else if (Array.isArray(value)) result[name] = mergeList(result[name], value, at)
    else result[name] = strategicMergePatch(result[name], value, at)
  }
  return result
}

const omitDirectives = (patch: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => !name.startsWith('$')))

const retainOnly = (result: Record<string, unknown>, names: unknown): void => {
  if (!Array.isArray(names)) return
  for (const name of Object.keys(result)) if (!names.includes(name)) delete result[name]
}

const mergeList = (target: unknown, patch: readonly unknown[], path: string): readonly unknown[] => {
  const key = Object.hasOwn(mergeKeys, path) ? mergeKeys[path] : undefined
  const present: readonly unknown[] = Array.isArray(target) ? target : []
  if (key === undefined) return patch
  if (key === '') return [...present, ...patch.filter(item => !present.includes(item))]
  const result = [...present]
  for (const item of patch) {
    if (!isRecord(item)) continue
    const index = result.findIndex(candidate => isRecord(candidate) && candidate[key] === item[key])
    if (item.$patch === 'delete') {
      if (index >= 0) result.splice(index, 1)
    } else if (index >= 0) result[index] = strategicMergePatch(result[index], item, path)
    else result.push(item)
  }
  return result
}
