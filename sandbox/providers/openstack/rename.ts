/** Names that OpenStack generates: an id, an address. */
const madeUp = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{1,3}(?:\.\d{1,3}){3})$/

/** Maps OpenStack's generated names in `from` to those in `to`: ids or addresses that differ at the same place. */
export const renames = (from: unknown, to: unknown): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const walk = (made: unknown, recorded: unknown): void => {
    if (typeof made === 'string' && typeof recorded === 'string') {
      const [name = '', other = ''] = [made, recorded].map(text => text.replace(/\/(?:32|128)$/, ''))
      if (name !== other && madeUp.test(name) && madeUp.test(other)) names.set(name, other)
    } else if (made instanceof Object && recorded instanceof Object) {
      for (const [key, value] of Object.entries(made)) walk(value, Reflect.get(recorded, key))
    }
  }
  walk(from, to)
  return names
}

/** Returns the data with names replaced everywhere. All at once, so that two names can be swapped. */
export const renamed = <T extends object>(data: T, names: ReadonlyMap<string, string>): T => {
  const texts = [...names.keys()].map(name => name.replaceAll('.', '\\.'))
  const any = new RegExp(`(?<![\\w.-])(?:${texts.join('|')})(?![\\w.-])`, 'g')
  return JSON.parse(JSON.stringify(data).replace(any, name => names.get(name) ?? name)) as T
}
