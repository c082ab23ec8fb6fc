/*
 * Functions for command flags, each an item `--name=value`. They find a flag anywhere in the command, so repeating a
 * change has no effect.
 */

const isFlag = (item: string, name: string): boolean => item === name || item.startsWith(`${name}=`)

/** Sets a flag to this value: in place, or at the end if it is missing. @param name `--cloud-provider` */
export const setFlag = (command: readonly string[], name: string, value: string): readonly string[] =>
  command.some(item => isFlag(item, name))
    ? command.map(item => (isFlag(item, name) ? `${name}=${value}` : item))
    : [...command, `${name}=${value}`]

export const removeFlags = (command: readonly string[], names: readonly string[]): readonly string[] =>
  command.filter(item => !names.some(name => isFlag(item, name)))

/** Like `setFlag`, but always at the end. */
export const setLastFlag = (command: readonly string[], name: string, value: string): readonly string[] => [
  ...removeFlags(command, [name]),
  `${name}=${value}`,
]

/**
 * Sets one entry of a flag that lists `key=value,…`, such as `--feature-gates`. Replaces the entry of the same key;
 * other entries are unchanged.
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
