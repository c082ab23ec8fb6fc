import { isRecord, type Json } from '../json.ts'

/**
 * Returns a configuration between two others: each field is that of `next` with the given chance, else that of
 * `before`. Items of lists that have names are matched by them. A user changes few fields at a time.
 */
export const mixed = (before: Json, next: Json, takes: () => boolean): Json => {
  if (isRecord(before) && isRecord(next)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(next)])]
    return Object.fromEntries(
      names.flatMap(name => {
        const [was, will] = [before[name], next[name]]
        if (was !== undefined && will !== undefined) return [[name, mixed(was, will, takes)]]
        const value = takes() ? will : was
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }
  if (isNamed(before) && isNamed(next)) {
    const names = [...new Set([...before, ...next].map(({ name }) => name))]
    return names.flatMap(name => {
      const was = before.find(item => item.name === name)
      const will = next.find(item => item.name === name)
      if (was !== undefined && will !== undefined) return [mixed(was, will, takes)]
      const item = takes() ? will : was
      return item === undefined ? [] : [item]
    })
  }
  return takes() ? next : before
}

const isNamed = (
  value: Json,
): value is readonly { readonly [field: string]: Json; readonly name: string }[] =>
  Array.isArray(value) && value.every(item => isRecord(item) && typeof item.name === 'string')
