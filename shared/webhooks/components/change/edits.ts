/*
 * Edits of commands, lists and maps in an object. Repeating one has no effect. A flag is an item `--name=value`,
 * anywhere in a command.
 */

const isFlag = (item: string, name: string): boolean => item === name || item.startsWith(`${name}=`)

/**
 * Sets a flag of a command to this value: in place, or at the end if it is missing.
 *
 * @param name with its dashes: `--cloud-provider`
 *
 * @example
 * const external = setFlag(['kube-controller-manager', '--v=2'], '--cloud-provider', 'external')
 * console.log(external) // ['kube-controller-manager', '--v=2', '--cloud-provider=external']
 */
export const setFlag = (command: readonly string[], name: string, value: string): readonly string[] =>
  command.some(item => isFlag(item, name))
    ? command.map(item => (isFlag(item, name) ? `${name}=${value}` : item))
    : [...command, `${name}=${value}`]

/**
 * Removes the flags of these names, with or without a value.
 *
 * @example
 * const command = ['kube-apiserver', '--cloud-config=/etc/cloud.conf']
 * const bare = removeFlags(command, ['--cloud-config', '--cloud-provider'])
 * console.log(bare) // ['kube-apiserver']
 */
export const removeFlags = (command: readonly string[], names: readonly string[]): readonly string[] =>
  command.filter(item => !names.some(name => isFlag(item, name)))

/** Like `setFlag`, but always at the end. */
export const setLastFlag = (command: readonly string[], name: string, value: string): readonly string[] => [
  ...removeFlags(command, [name]),
  `${name}=${value}`,
]

/**
 * Sets one entry of a flag that lists `key=value,…`, such as `--feature-gates`. Replaces the entry of the same key;
 * other entries are unchanged. Adds the flag at the end if it is missing.
 *
 * @example
 * const gated = setListedFlag(['kube-scheduler', '--feature-gates=A=true'], '--feature-gates', 'B', 'false')
 * console.log(gated) // ['kube-scheduler', '--feature-gates=A=true,B=false']
 */
export const setListedFlag = (
  command: readonly string[],
  name: string,
  key: string,
  value: string,
): readonly string[] => {
  const entry = `${key}=${value}`
  const holder =
    command.find(item => isFlag(item, name) && entriesOf(item).some(one => isFlag(one, key))) ??
    command.find(item => isFlag(item, name))
  if (holder === undefined) return [...command, `${name}=${entry}`]
  const first = command.indexOf(holder)
  return command.map((item, index) => {
    if (!isFlag(item, name)) return item
    const entries = entriesOf(item)
    const position = entries.findIndex(one => isFlag(one, key))
    if (position === -1) return index === first ? `${name}=${[...entries, entry].join(',')}` : item
    const others = entries.filter(one => !isFlag(one, key))
    return `${name}=${others.toSpliced(Math.min(position, others.length), 0, entry).join(',')}`
  })
}

const entriesOf = (item: string): readonly string[] =>
  item
    .slice(item.indexOf('=') + 1 || item.length)
    .split(',')
    .filter(entry => entry !== '')

/** The field that identifies the items of a list: containers and units have names, files have paths. */
export type ItemKey = 'name' | 'path' | 'containerName'

type NamedItem<K extends ItemKey> = Readonly<Record<K, string>>

/**
 * Returns the list with this item. Replaces the whole item of the same name, or appends it.
 *
 * @param key the field that identifies an item
 *
 * @example
 * const withRegion = { ...container, env: [...ensureItem(container.env, 'name', { name: 'REGION', value: 'here' })] }
 */
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

/** A list or map of an object, or null, which the API server reads as empty. */
type ListOrMap = readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * Returns the object with new content in a field. Omits an empty field, as Go does. Returns the same object if the
 * content is the same.
 */
export const withContent = <T extends object>(
  object: T,
  field: keyof T & string,
  content: ListOrMap | null | undefined,
): T => {
  if (content === object[field]) return object
  if (content !== undefined && content !== null && Object.keys(content).length > 0)
    return { ...object, [field]: content }
  const { [field]: _, ...rest } = object
  return rest as T
}

/** Returns the map without some keys, or the same map if it has none of them. */
export const withoutKeys = <V>(
  map: Readonly<Record<string, V>> | null | undefined,
  keys: readonly string[],
): Readonly<Record<string, V>> | null | undefined =>
  map && keys.some(key => Object.hasOwn(map, key))
    ? Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)))
    : map
