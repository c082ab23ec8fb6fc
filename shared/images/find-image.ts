import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import * as z from 'zod'
import { CodedError, configurationProblem } from '../contract/errors.ts'
import { formatProblems, problemsOf } from '../decode/problems.ts'
import { messageOf } from '../text/message-of.ts'

/** An entry of Gardener's image vector (docs/contract/control-plane.md#images). */
export interface ImageSource {
  readonly name: string
  /** The complete reference. Overrides repository and tag. */
  readonly ref?: string | undefined
  readonly repository?: string | undefined
  /** Default: `v` and the shoot's Kubernetes version. `sha256:…` is a digest. */
  readonly tag?: string | undefined
  /** Kubernetes versions of the shoot: `1.33.x`, `>= 1.34`. Default: all. */
  readonly targetVersion?: string | undefined
  /** Default: all. */
  readonly architectures?: readonly string[] | undefined
}

/** Returns the image reference for a container. */
const referenceOf = ({ ref, repository = '', tag }: ImageSource, kubernetesVersion: string): string => {
  if (ref !== undefined) return ref
  const version = tag ?? `v${kubernetesVersion.replace(/^v/, '')}`
  return `${repository}${version.startsWith('sha256:') ? '@' : ':'}${version}`
}

/** Default architecture of machines. */
const usualArchitecture = 'amd64'

/**
 * Returns the reference of an image for a shoot's Kubernetes version: of the fitting entries the most specific one, and
 * of equal ones the first. Throws a `CodedError` if none fits.
 *
 * @example
 * const images = [{ name: 'dns-sync', repository: 'registry.example.com/dns-sync', tag: 'v1.2.3' }]
 * const image = findImage(images, 'dns-sync', kubernetesVersionOf(cluster))
 */
export const findImage = (
  images: readonly ImageSource[],
  name: string,
  kubernetesVersion: string,
): string => {
  const scored = images
    .filter(image => image.name === name)
    .map(image => ({ image, score: scoreOf(image, kubernetesVersion) }))
    .filter(({ score }) => score > 0)
  const [best] = scored.toSorted((one, other) => other.score - one.score)
  if (best === undefined)
    throw configurationProblem(`could not find image "${name}" for Kubernetes ${kubernetesVersion}`)
  return referenceOf(best.image, kubernetesVersion)
}

/** 0: does not fit. */
const scoreOf = ({ targetVersion, architectures }: ImageSource, kubernetesVersion: string): number => {
  const ofArchitecture = architectures === undefined ? 1 : scoreOfArchitectures(architectures)
  if (ofArchitecture === 0 || targetVersion === undefined) return ofArchitecture
  if (!meetsConstraint(kubernetesVersion, targetVersion)) return 0
  return ofArchitecture + (isExact(targetVersion) ? 2 : 1)
}

const scoreOfArchitectures = (architectures: readonly string[]): number =>
  architectures.includes(usualArchitecture) ? (architectures.length === 1 ? 2 : 1) : 0

const isExact = (constraint: string): boolean => /^(v?\d+\.\d+\.\d+|=)/.test(constraint)

/** Major, minor and patch. */
type VersionNumbers = readonly [number, number, number]

const clause =
  /^(=|==|!=|>=|=>|>|<=|=<|<|~|~>|\^)?\s*v?(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?(?:\.(\d{1,9}|[xX*]))?$/

/**
 * Returns true if a Kubernetes version meets the constraint of an image vector's entry: `1.33.x`, `>= 1.34`, `>= 1.30,
 * < 1.33`, `~1.33`, `1.32.x || 1.33.x`. Ignores everything after the version's three numbers. Throws a `CodedError` for
 * an invalid version, and an Error for an invalid constraint.
 */
export const meetsConstraint = (version: string, constraint: string): boolean => {
  const numbers = versionOf(version)
  return constraint
    .split('||')
    .map(part => clausesOf(part, constraint).every(holds => holds(numbers)))
    .some(Boolean)
}

const versionOf = (version: string): VersionNumbers => {
  const [, major, minor = '0', patch = '0'] =
    /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:[-+].*)?$/.exec(version) ?? []
  if (major === undefined) throw new CodedError('invalid semantic version', { codes: [] })
  return [Number(major), Number(minor), Number(patch)]
}

type Holds = (version: VersionNumbers) => boolean

const clausesOf = (part: string, constraint: string): readonly Holds[] => {
  // An operator may be separated from its version.
  const words = part
    .replace(/([=!<>~^])\s+/g, '$1')
    .split(/[\s,]+/)
    .filter(word => word !== '')
  if (words.length === 0) throw new Error(`improper constraint: ${constraint}`)
  return words.map(word => clauseOf(word, constraint))
}

const clauseOf = (word: string, constraint: string): Holds => {
  const match = clause.exec(word)
  if (match === null) throw new Error(`improper constraint: ${constraint}`)
  const [, operator = '=', ...parts] = match
  const given = leadingNumbers(parts)
  const low: VersionNumbers = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0]
  // The first version after the range: 1.33 and 1.33.x are everything below 1.34.
  const high = after(low, given.length)
  const isFrom: Holds = version => compare(version, low) >= 0
  const isPast: Holds = version => compare(version, high) >= 0
  switch (operator) {
    case '!=':
      return version => !isFrom(version) || isPast(version)
    case '>=':
    case '=>':
      return isFrom
    case '>':
      return isPast
    case '<':
      return version => !isFrom(version)
    case '<=':
    case '=<':
      return version => !isPast(version)
    case '~':
    case '~>':
      return version => isFrom(version) && compare(version, after(low, Math.min(given.length, 2))) < 0
    case '^':
      return version => isFrom(version) && compare(version, after(low, firstOfWeight(low, given.length))) < 0
    default:
      return version => isFrom(version) && !isPast(version)
  }
}

/** Returns the numbers before the first missing part or wildcard. */
const leadingNumbers = (parts: readonly (string | undefined)[]): readonly number[] => {
  const end = parts.findIndex(part => part === undefined || !/^\d/.test(part))
  return parts.slice(0, end === -1 ? parts.length : end).map(Number)
}

/** Returns the first version after all that start with these numbers; infinity without numbers. */
const after = ([major, minor, patch]: VersionNumbers, numbers: number): VersionNumbers => {
  if (numbers === 0) return [Number.POSITIVE_INFINITY, 0, 0]
  if (numbers === 1) return [major + 1, 0, 0]
  return numbers === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

/** `^` allows changes after the first number that is not 0. */
const firstOfWeight = (version: VersionNumbers, given: number): number => {
  const first = version.findIndex(number => number > 0) + 1
  return first === 0 ? given : Math.min(first, given)
}

const compare = (one: VersionNumbers, other: VersionNumbers): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2]

/**
 * Returns the built-in images with the overrides of the operator's file. Throws an Error that names the file's problem.
 *
 * @param file path in `TRELLIS_IMAGEVECTOR_OVERWRITE`; empty: no file
 *
 * @example
 * const builtIn = [{ name: 'dns-sync', repository: 'registry.example.com/dns-sync', tag: 'v1.2.3' }]
 * const images = openImages(builtIn, '/etc/images/overwrite.yaml')
 */
export const openImages = (builtIn: readonly ImageSource[], file: string): readonly ImageSource[] =>
  file === '' ? builtIn : mergeImages(builtIn, readOverwrite(readFileSync(file, 'utf8')))

/**
 * Returns the images with the operator's overrides. An override replaces the entry with the same name, versions and
 * architectures and inherits omitted fields; other overrides are added (docs/contract/control-plane.md#images). Throws
 * an Error for an added one without a location of its image.
 */
export const mergeImages = (
  images: readonly ImageSource[],
  overwrite: readonly ImageSource[],
): readonly ImageSource[] => {
  const merged = new Map(images.map(image => [keyOf(image), image]))
  const known = new Set(images.map(({ name }) => name))
  for (const image of overwrite) {
    const result = mergedImage(merged.get(keyOf(image)), image)
    if (known.has(image.name) && result.ref === undefined && result.repository === undefined) {
      const { name, targetVersion = 'all versions' } = image
      throw new Error(
        `image vector overwrite: ${name} for ${targetVersion}: expected a repository or ref, because no default image matches`,
      )
    }
    merged.set(keyOf(image), result)
  }
  return [...merged.values()]
}

const keyOf = ({ name, targetVersion = '', architectures = [] }: ImageSource): string =>
  JSON.stringify([name, targetVersion, architectures])

const mergedImage = (old: ImageSource | undefined, image: ImageSource): ImageSource => {
  // An operator's repository replaces a complete reference, and vice versa.
  const ref = image.ref ?? (image.repository === undefined ? old?.ref : undefined)
  const { repository = old?.repository, tag = old?.tag } = image
  return { ...image, ...(ref === undefined ? { repository, tag } : { ref }) }
}

const optionalText = z
  .string()
  .nullish()
  .transform(value => value ?? undefined)

const isConstraint = (constraint: string): boolean => {
  try {
    meetsConstraint('1.0.0', constraint)
    return true
  } catch {
    return false
  }
}

/** Entries have more fields, for the origin and the rating of an image. */
const source = z
  .looseObject({
    name: z.string().min(1),
    ref: optionalText,
    repository: optionalText,
    tag: optionalText,
    targetVersion: z
      .string()
      .refine(isConstraint, 'expected a constraint such as 1.33.x or >= 1.34')
      .nullish()
      .transform(value => value ?? undefined),
    runtimeVersion: z
      .null('expected no runtimeVersion: Trellis does not know the version of the seed')
      .optional(),
    architectures: z
      .array(z.string())
      .nullish()
      .transform(value => value ?? undefined),
  })
  .transform(
    ({ name, ref, repository, tag, targetVersion, architectures }): ImageSource => ({
      name,
      ref,
      repository,
      tag,
      targetVersion,
      architectures,
    }),
  )

const vector = z.looseObject({ images: z.array(source) })

/**
 * Reads the file of `TRELLIS_IMAGEVECTOR_OVERWRITE`, in YAML or JSON (docs/contract/control-plane.md#images). Throws an
 * Error that names the invalid fields.
 */
export const readOverwrite = (text: string): readonly ImageSource[] => {
  const value = parsed(text)
  const { data, error } = vector.safeParse(value)
  if (error === undefined) return data.images
  throw new Error(`image vector overwrite: ${formatProblems(problemsOf(error.issues, value))}`)
}

const parsed = (text: string): unknown => {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new Error(`image vector overwrite: ${messageOf(error).split('\n')[0]}`)
  }
}
