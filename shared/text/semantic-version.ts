/** `1.2.3-rc.1` */
export interface SemanticVersion {
  /** Major, minor and patch. */
  readonly numbers: readonly [number, number, number]
  /** The identifiers of a prerelease: `rc`, `1`. Empty for a release. */
  readonly before: readonly string[]
}

/** Returns the parts of a semantic version, or undefined for other texts. `1877.3` is `1877.3.0`. */
export const parseVersion = (version: string): SemanticVersion | undefined => {
  const [, numbers = '', before] = /^v?(\d+(?:\.\d+){0,2})(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(version) ?? []
  if (numbers === '') return undefined
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number)
  return { numbers: [major, minor, patch], before: before?.split('.') ?? [] }
}

export const isVersion = (version: string): boolean => parseVersion(version) !== undefined

/** Returns a number above 0 if the first version is later by semver 2.0. Both must be valid versions. */
export const compareVersions = (one: string, other: string): number => {
  const [a, b] = [parseVersion(one), parseVersion(other)]
  if (a === undefined || b === undefined) return 0
  const byNumber = a.numbers.map((number, index) => number - (b.numbers[index] ?? 0)).find(Boolean)
  if (byNumber !== undefined) return byNumber
  // A prerelease is earlier than its release.
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length
  for (const [index, part] of a.before.entries()) {
    const than = b.before[index]
    if (than === undefined) return 1
    const order = compareIdentifiers(part, than)
    if (order !== 0) return order
  }
  return a.before.length - b.before.length
}

const compareIdentifiers = (one: string, other: string): number => {
  const [oneNumber, otherNumber] = [one, other].map(text => (/^\d+$/.test(text) ? Number(text) : undefined))
  if (oneNumber !== undefined && otherNumber !== undefined) return oneNumber - otherNumber
  if (oneNumber !== undefined) return -1
  if (otherNumber !== undefined) return 1
  return one < other ? -1 : Number(one > other)
}
