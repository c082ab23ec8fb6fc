/** What tells the items of a list apart: containers and units have names, files have paths. */
export type ItemKey = 'name' | 'path' | 'containerName'

type NamedItem<K extends ItemKey> = Readonly<Record<K, string>>

/** The list with this item: in place of the one of the same name, as a whole, or else at its end. */
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

/** The list without the items of these names; the very same list where there are none. */
export const withoutItems = <T extends NamedItem<'name'>>(
  items: readonly T[] | null | undefined,
  names: readonly string[],
): readonly T[] | null | undefined =>
  items?.some(({ name }) => names.includes(name)) ? items.filter(({ name }) => !names.includes(name)) : items
