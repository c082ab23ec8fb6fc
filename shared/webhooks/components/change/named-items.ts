/** The field that identifies the items of a list: containers and units have names, files have paths. */
export type ItemKey = 'name' | 'path' | 'containerName'

type NamedItem<K extends ItemKey> = Readonly<Record<K, string>>

/** Returns the list with this item. Replaces the item of the same name, or appends it. */
export const ensureItem = <K extends ItemKey, T extends NamedItem<K>>(
  items: readonly T[] | null | undefined,
  key: K,
  item: T,
): readonly T[] => {
  const list = items ?? []
  return list.some(one => one[key] === item[key])
    ? list.map(one => (one[key] === item[key] ? item : one))
    : [...list, item]
}

/** Returns the list without the items of these names, or the same list if it has none of them. */
export const withoutItems = <T extends NamedItem<'name'>>(
  items: readonly T[] | null | undefined,
  names: readonly string[],
): readonly T[] | null | undefined =>
  items?.some(({ name }) => names.includes(name)) ? items.filter(({ name }) => !names.includes(name)) : items
