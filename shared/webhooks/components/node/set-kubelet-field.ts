import { type Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { setPlainField } from './set-plain-field.ts'

const apiVersion = 'kubelet.config.k8s.io/v1beta1'
const kind = 'KubeletConfiguration'

/**
 * A kubelet configuration (YAML or JSON) with a field at the top set. All else keeps its bytes: fields that nobody here knows,
 * comments, quotes. A new field goes before the first one that comes after it in the alphabet, which is where gardenlet would
 * write it; `onlyIfSet`: one that is not there, or empty, is not added. Throws an Error in one line, without what is in the
 * text, for what is no KubeletConfiguration.
 *
 * @param value a text: one that YAML reads as the same text without quotes
 */
export const setKubeletField = (
  text: string,
  field: string,
  value: boolean | string,
  { onlyIfSet = false }: { readonly onlyIfSet?: boolean } = {},
): string => {
  // The parser passes over a mark of the order of bytes, and does not count it where it says what stands where.
  if (text.startsWith('\uFEFF')) return `\uFEFF${setKubeletField(text.slice(1), field, value, { onlyIfSet })}`
  const plain =
    typeof value === 'boolean' && !onlyIfSet
      ? setPlainField(text, field, value, { apiVersion, kind })
      : undefined
  if (plain !== undefined) return plain
  const { document, map } = parsed(text)
  const same = map.items.filter(pair => nameOf(pair) === field)
  if (same.length > 1) throw new Error(`${field} is there more than once`)
  const [old] = same
  if (onlyIfSet && (old === undefined || isEmpty(old))) return text
  if (old === undefined) return added(text, { document, map }, field, value)
  if (isScalar(old.value) && old.value.value === value) return text
  if (isScalar(old.value) && typeof old.value.value === typeof value && old.value.range)
    return `${text.slice(0, old.value.range[0])}${value}${text.slice(old.value.range[1])}`
  return rewritten(document, field, value)
}

interface Parsed {
  readonly document: Document
  readonly map: YAMLMap
}

const parsed = (text: string): Parsed => {
  // Nothing is resolved, so aliases cost nothing; and keys are not compared with each other, which takes the square of time.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  const [problem] = document.errors
  if (problem !== undefined)
    throw new Error(`line ${text.slice(0, problem.pos[0]).split('\n').length}: not YAML (${problem.code})`)
  const map: unknown = document.contents
  if (!isMap(map) || map.get('kind') !== kind || map.get('apiVersion') !== apiVersion)
    throw new Error(`it is no ${kind} of ${apiVersion}`)
  return { document: document as Document, map }
}

const isEmpty = ({ value }: Pair): boolean =>
  value === null || (isScalar(value) && (value.value === null || value.value === ''))

const added = (text: string, { document, map }: Parsed, field: string, value: boolean | string): string => {
  const next = map.items.find(pair => (nameOf(pair) ?? '') > field)
  const at = next === undefined ? text.length : lineStart(text, next)
  const indent = indentOf(text, map)
  if (map.flow || at === undefined || indent === undefined || (next === undefined && endsExplicitly(text)))
    return rewritten(document, field, value)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text.slice(0, at)
  return [
    before,
    before === '' || before.endsWith('\n') ? '' : lineBreak,
    `${indent}${field}: ${value}${lineBreak}`,
    text.slice(at),
  ].join('')
}

/** Whether the document has an end of its own, after which nothing of it may stand. */
const endsExplicitly = (text: string): boolean => /^\.\.\.\s*$/m.test(text)

/** Where no single line can be put in between: written anew, with all that it holds. */
const rewritten = (document: Document, field: string, value: boolean | string): string => {
  document.set(field, value)
  return document.toString({ lineWidth: 0, indentSeq: false })
}

const nameOf = ({ key }: Pair): string | undefined =>
  isScalar(key) && typeof key.value === 'string' ? key.value : undefined

const offsetOf = ({ key }: Pair): number | undefined => (isScalar(key) ? key.range?.[0] : undefined)

/** What stands before the keys of the map: blanks; undefined where one of them is not at the beginning of its line. */
const indentOf = (text: string, map: YAMLMap): string | undefined => {
  const [first] = map.items
  const offset = first === undefined ? undefined : offsetOf(first)
  if (offset === undefined) return undefined
  const indent = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^ *$/.test(indent) ? indent : undefined
}

/** Where the line of a key begins, with the comments right above it; undefined where something stands before the key. */
const lineStart = (text: string, pair: Pair): number | undefined => {
  const offset = offsetOf(pair)
  if (offset === undefined) return undefined
  let start = text.lastIndexOf('\n', offset - 1) + 1
  if (!/^ *$/.test(text.slice(start, offset))) return undefined
  while (start > 0) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    if (!/^ *#/.test(text.slice(above, start))) break
    start = above
  }
  return start
}
