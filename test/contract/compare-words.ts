import type { Drift } from './drift.ts'
import type { GoConstant } from './go-constants.ts'

/** A text with its path, for messages. */
export interface NamedText {
  readonly path: string
  readonly text: string
}

/** Words in paths of files are not of interest. */
const domainWord = /(?<![\w./-])[\w.-]*\b(?:gardener\.cloud|sapcloud\.io)(?:\/[\w.-]+)?/g
/** Only in pages: sources have the type `ErrorCode`, and Node's own codes. */
const errorCode = /\bERR_[A-Z_]+/g

/**
 * Finds the words of Gardener's domains and error codes in sources and pages: keys of annotations and labels,
 * finalizers, API groups. Each must be a constant of Gardener, an API version, a resource, an own word of Trellis, or
 * one of the `others`.
 *
 * @param others words of other programs, or without a constant; an unused one is `missing` too
 */
export const compareWords = (
  texts: readonly NamedText[],
  constants: readonly GoConstant[],
  others: Readonly<Record<string, string>>,
): readonly Drift[] => {
  const used = new Map<string, string>()
  // A sentence may end after a word.
  for (const { path, text } of texts)
    for (const word of [domainWord, ...(path.endsWith('.md') ? [errorCode] : [])])
      for (const [found] of text.matchAll(word)) used.set(found.replace(/\.+$/, ''), path)
  const isKnown = knownIn(constants)
  return [
    ...[...used].flatMap(([found, path]) =>
      isKnown(found) || found in others ? [] : [missing(`${found} in ${path}`)],
    ),
    ...Object.keys(others)
      .filter(other => !used.has(other) || isKnown(other))
      .map(other => missing(`${other} in the words of other programs`)),
  ]
}

const missing = (subject: string): Drift => ({ subject, problem: 'missing', trellis: 'used', gardener: '' })

const knownIn = (constants: readonly GoConstant[]) => {
  const values = new Set(constants.map(({ value }) => value))
  const groups = new Set(
    constants.filter(({ name, value }) => name === 'GroupName' && value.includes('.')).map(one => one.value),
  )
  // Values that a suffix follows: `networking.gardener.cloud/to-`, `worker.gardener.cloud/%s`.
  const prefixes = [...values]
    .map(value => value.replace(/%[sdv].*$/, ''))
    .filter(value => /\w\.\w.*[/-]$/.test(value))
  return (found: string): boolean => {
    const [head = '', tail] = found.split('/')
    const group = head.replace(/^[A-Za-z]*\./, '')
    return (
      values.has(found) ||
      groups.has(found) ||
      head.endsWith('trellis.gardener.cloud') ||
      // An API version, or a resource or kind of a group.
      (groups.has(head) && /^v\d/.test(tail ?? '')) ||
      (groups.has(group) && (tail === undefined || tail === 'status')) ||
      prefixes.some(prefix => found.startsWith(prefix)) ||
      // The fixed part of a template.
      (/^[.-]|[/-]$/.test(found) &&
        [...values, ...groups].some(value => value.startsWith(found) || value.endsWith(found))) ||
      // The domain of keys.
      [...values].some(value => value.startsWith(`${found}/`))
    )
  }
}
