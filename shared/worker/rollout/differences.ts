/** A place where two JSON values differ. */
export interface Difference {
  /** `providerSpec.blockDevices[1].ebs.volumeSize`. */
  readonly path: string
  /** Undefined: absent. */
  readonly from: unknown
  readonly to: unknown
}

/** Returns all differences between two JSON values, in the order of the second. Descends into objects and lists. */
export const differences = (from: unknown, to: unknown, path = ''): readonly Difference[] => {
  if (Object.is(from, to)) return []
  if (!isHolder(from) || !isHolder(to) || Array.isArray(from) !== Array.isArray(to))
    return [{ path, from, to }]
  const names = new Set([...Object.keys(to), ...Object.keys(from)])
  return [...names].flatMap(name =>
    differences(
      own(from, name),
      own(to, name),
      Array.isArray(to) ? `${path}[${name}]` : joinPath(path, name),
    ),
  )
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const own = (holder: object, name: string): unknown =>
  Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined

/** Returns `providerSpec.tags`, or `labels."a/b"` if the name is not an identifier. */
export const joinPath = (path: string, name: string): string => {
  const segment = /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)
  return path === '' ? segment : `${path}.${segment}`
}
