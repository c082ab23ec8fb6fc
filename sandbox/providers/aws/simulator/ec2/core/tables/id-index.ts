/** Maps a filter and a value to the ids of the rows with that value. */
export interface IdIndex {
  /** Unordered. The tag key filter (`tag-key`) returns the ids of all values of the key. */
  ids(filter: string, value: string): readonly string[]
  add(filter: string, value: string, id: string): void
  remove(filter: string, value: string, id: string): void
}

/** One id, some, or many. Most values belong to one row, and a set for each would take as much memory as the rows. */
type Ids = string | readonly string[] | Set<string>

/** From this number on a set is worth its memory. */
const many = 64

const listed = (ids: Ids | undefined): readonly string[] => {
  if (ids === undefined) return []
  return typeof ids === 'string' ? [ids] : [...ids]
}

const joined = (ids: Ids | undefined, id: string): Ids => {
  if (ids === undefined) return id
  if (ids instanceof Set) return ids.add(id)
  const known = listed(ids)
  if (known.includes(id)) return ids
  const all = [...known, id]
  return all.length < many ? all : new Set(all)
}

/** Undefined if no id is left. */
const without = (ids: Ids | undefined, id: string): Ids | undefined => {
  if (ids instanceof Set) {
    ids.delete(id)
    return ids.size > 0 ? ids : undefined
  }
  const left = listed(ids).filter(other => other !== id)
  return left.length > 1 ? left : left[0]
}

export const createIdIndex = (): IdIndex => {
  const filters = new Map<string, Map<string, Ids>>()
  return {
    ids: (filter, value) =>
      filter === 'tag-key'
        ? [...(filters.get(`tag:${value}`)?.values() ?? [])].flatMap(listed)
        : listed(filters.get(filter)?.get(value)),
    add: (filter, value, id) => {
      const values = filters.get(filter) ?? new Map<string, Ids>()
      filters.set(filter, values)
      values.set(value, joined(values.get(value), id))
    },
    remove: (filter, value, id) => {
      const values = filters.get(filter)
      const left = without(values?.get(value), id)
      if (left === undefined) values?.delete(value)
      else values?.set(value, left)
      if (values?.size === 0) filters.delete(filter)
    },
  }
}
