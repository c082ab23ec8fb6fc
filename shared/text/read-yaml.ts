import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml'
import { deepestJson } from '../decode/json-bounds.ts'

/** A document of a YAML text: its value, or the reason why it has none, without a quote of the text. */
export type ReadYaml = { readonly value: unknown } | { readonly problem: string }

/** The most values of a document, with those of aliases: an alias of an alias would multiply them. */
const mostValues = 1_000_000
const tooDeep = `more than ${deepestJson} levels of maps and lists`

/**
 * Reads YAML or JSON as kubectl and helm do, whose parser is neither of YAML 1.1 nor 1.2: `0600` and `0o600` are 384,
 * `yes` is true, `1:30` and dates are texts, `<<` merges, and the last of equal keys counts (sigs.k8s.io/yaml,
 * goyaml.v2/resolve.go).
 */
export const readYaml = (text: string): readonly ReadYaml[] => {
  try {
    // Without a schema, each plain scalar is its text.
    const documents = parseAllDocuments(text, {
      prettyErrors: false,
      schema: 'failsafe',
      resolveKnownTags: false,
      uniqueKeys: false,
    })
    return [...documents].map(document => readDocument(document, text))
  } catch (error) {
    if (error instanceof RangeError) return [{ problem: tooDeep }]
    throw error
  }
}

const readDocument = (document: Document.Parsed, text: string): ReadYaml => {
  const [error] = document.errors
  if (error?.code === 'RESOURCE_EXHAUSTION') return { problem: tooDeep }
  if (error !== undefined) return { problem: `${error.code} at line ${lineAt(text, error.pos[0])}` }
  try {
    return { value: createReader(document).read(document.contents, 0) }
  } catch (thrown) {
    if (thrown instanceof YamlProblem) return { problem: thrown.message }
    throw thrown
  }
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

class YamlProblem extends Error {
  override readonly name = 'YamlProblem'
}

/** Returns the node of each alias: the last one before it with its anchor. `Alias.resolve` reads the whole document. */
const targetsOf = (document: Document.Parsed): ReadonlyMap<Alias, Node> => {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, (_, node) => {
    if (!isNode(node)) return
    if (!isAlias(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      return
    }
    const target = anchors.get(node.source)
    if (target !== undefined) targets.set(node, target)
  })
  return targets
}

const createReader = (document: Document.Parsed) => {
  let values = 0
  const targets = targetsOf(document)
  const open = new Set<Node>()

  const read = (node: unknown, depth: number): unknown => {
    values++
    if (values > mostValues) throw new YamlProblem(`more than ${mostValues} values, with those of aliases`)
    if (depth > deepestJson) throw new YamlProblem(tooDeep)
    if (isAlias(node)) return readAlias(targets.get(node), depth)
    if (isScalar(node)) return scalarOf(node)
    if (!isMap(node) && !isSeq(node)) return null
    if (open.has(node)) throw new YamlProblem('an anchor contains itself')
    open.add(node)
    const value = isMap(node) ? readMap(node, depth) : node.items.map(item => read(item, depth + 1))
    open.delete(node)
    return value
  }

  const readAlias = (target: Node | undefined, depth: number): unknown => {
    if (target === undefined) throw new YamlProblem('an alias without an anchor')
    return read(target, depth + 1)
  }

  const readMap = (map: YAMLMap, depth: number): Readonly<Record<string, unknown>> => {
    const found = new Map<string, unknown>()
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) for (const [name, merged] of mergedOf(value, depth)) found.set(name, merged)
      else found.set(keyOf(read(key, depth + 1)), read(value, depth + 1))
    }
    // Unlike an assignment, it also takes `__proto__`.
    return Object.fromEntries(found)
  }

  /** A merge overrides the keys before it, and the first map of a sequence overrides the others. */
  const mergedOf = (value: unknown, depth: number): Iterable<readonly [string, unknown]> => {
    const source = isAlias(value) ? targets.get(value) : value
    const maps = isSeq(source) ? source.items.toReversed() : [source]
    return maps.flatMap(item => {
      const merged = read(item, depth + 1)
      if (typeof merged !== 'object' || merged === null || Array.isArray(merged))
        throw new YamlProblem('<< needs a map or a sequence of maps')
      return Object.entries(merged)
    })
  }

  return { read }
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<' && key.tag === undefined

/** Objects have texts as keys. */
const keyOf = (key: unknown): string => {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') return String(key)
  throw new YamlProblem('a key is not a text, a number or a boolean')
}

const scalarOf = (node: Scalar): unknown => {
  const text = String(node.value ?? '')
  switch (node.tag) {
    case undefined:
      return node.type === undefined || node.type === Scalar.PLAIN ? plainValue(node.source ?? text) : text
    case 'tag:yaml.org,2002:null':
      return null
    case 'tag:yaml.org,2002:int':
    case 'tag:yaml.org,2002:float':
      return typed(text, 'number')
    case 'tag:yaml.org,2002:bool':
      return typed(text, 'boolean')
    case 'tag:yaml.org,2002:binary':
      return binaryOf(text)
    default:
      return text
  }
}

const typed = (text: string, type: 'number' | 'boolean'): unknown => {
  const value = plainValue(text)
  if (typeof value !== type) throw new YamlProblem(`a value with a tag is no ${type}`)
  return value
}

const binaryOf = (text: string): string => {
  const packed = text.replaceAll(/\s/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed))
    throw new YamlProblem('a binary value is not base64')
  return new TextDecoder().decode(Uint8Array.from(atob(packed), character => character.charCodeAt(0)))
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    word => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    word => [word, false] as const,
  ),
])

const infinity = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const based = /^([-+]?)0(?:[xX]([0-9a-fA-F]+)|[oO]?([0-7]+)|[bB]([01]+))$/

const plainValue = (text: string): unknown => {
  if (words.has(text)) return words.get(text)
  if (infinity.test(text)) throw new YamlProblem('a number is not finite, which JSON does not allow')
  if (!/^[-+.0-9]/.test(text)) return text
  const plain = text.replaceAll('_', '')
  const [isBased, sign, hex, octal, binary] = based.exec(plain) ?? []
  if (isBased !== undefined) {
    const size =
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : Number.parseInt(binary ?? '', 2)
    return sign === '-' && size !== 0 ? -size : size
  }
  if (!decimal.test(plain)) return text
  const value = Number(plain)
  return Number.isFinite(value) ? (value === 0 ? 0 : value) : text
}
