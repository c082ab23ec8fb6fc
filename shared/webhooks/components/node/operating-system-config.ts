import { type Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'
import * as z from 'zod'
import { configurationProblem } from '../../../contract/errors.ts'
import type { Cluster } from '../../../contract/objects.ts'
import { messageOf } from '../../../text/message-of.ts'
import { ensureItem, setFlag } from '../change/edits.ts'
import {
  changeOption,
  ensureOption,
  formatUnit,
  joinCommandLine,
  parseUnit,
  type Sysctl,
  setSysctl,
  splitCommandLine,
} from './systemd-unit.ts'

/*
 * The changes of a provider to the nodes of a pool (docs/contract/webhooks.md#operatingsystemconfig). A part that no
 * change names may be missing.
 */

const unit = z.looseObject({ name: z.string(), content: z.string().nullish() })
const file = z.looseObject({
  path: z.string(),
  content: z
    .looseObject({ inline: z.looseObject({ encoding: z.string().nullish(), data: z.string() }).nullish() })
    .nullish(),
})
/** A unit of systemd: its name and content. All other fields are those of the OperatingSystemConfig. */
export type NodeUnit = z.output<typeof unit>
/** A file: its path and content. All other fields, such as `permissions`, are those of the OperatingSystemConfig. */
export type NodeFile = z.output<typeof file>

/** The parts of an OperatingSystemConfig that are read. */
export const nodeConfigSchema = z.looseObject({
  spec: z.looseObject({
    purpose: z.string().nullish(),
    units: z.array(unit).nullish(),
    files: z.array(file).nullish(),
  }),
})

/** The changes of a provider to the kubelet of each node. Absent parts are not changed. */
export interface KubeletChanges {
  /** Flags of its command: pairs of `--name` and value. */
  readonly flags?: readonly (readonly [name: string, value: string])[]
  /** A command that runs before the kubelet: an `ExecStartPre` of systemd. */
  readonly startPre?: string
  /** Top-level fields of its configuration, by name. */
  readonly fields?: Readonly<Record<string, boolean | string>>
  /** Top-level fields that are set only if they exist. */
  readonly fieldsIfSet?: Readonly<Record<string, string>>
}

/** The changes of a provider to the nodes of a pool. Absent parts are not changed. */
export interface NodeChanges {
  readonly kubelet?: KubeletChanges
  /** A kernel parameter. */
  readonly sysctl?: Sysctl
  /** Each replaces the file with the same path. */
  readonly files?: readonly NodeFile[]
  /** Each replaces the unit with the same name. */
  readonly units?: readonly NodeUnit[]
}

const kubeletUnit = 'kubelet.service'
const kubeletFile = '/var/lib/kubelet/config/kubelet'
const sysctlFile = '/etc/sysctl.d/99-k8s-general.conf'

/** Applies the provider's changes to the config of a pool's nodes. Throws a `CodedError` that names the broken part. */
export const changeNodes = <O extends z.output<typeof nodeConfigSchema>>(
  config: O,
  { kubelet = {}, sysctl, files = [], units = [] }: NodeChanges,
): O => {
  const changedUnits = config.spec.units?.map(one =>
    one.name === kubeletUnit && one.content
      ? { ...one, content: changeKubeletUnit(one.content, kubelet) }
      : one,
  )
  const changedFiles = config.spec.files?.map(one => {
    switch (one.path) {
      case kubeletFile:
        return changeText(one, 'kubelet configuration', text => changeKubeletFields(text, kubelet))
      case sysctlFile:
        return sysctl === undefined
          ? one
          : changeText(one, 'kernel parameters', text => setSysctl(text, sysctl))
      default:
        return one
    }
  })
  return {
    ...config,
    spec: {
      ...config.spec,
      ...ensured('units', changedUnits, units, 'name'),
      ...ensured('files', changedFiles, files, 'path'),
    },
  }
}

/**
 * Returns the kubelet version for an OperatingSystemConfig: that of its pool, or else the shoot's. Returns `''` if the
 * Cluster names none.
 *
 * @param labels those of the OperatingSystemConfig
 *
 * @example
 * const version = kubeletVersion({ 'worker.gardener.cloud/pool': 'workers' }, cluster)
 */
export const kubeletVersion = (
  labels: Readonly<Record<string, string>> | null | undefined,
  { spec: { shoot } }: Cluster,
): string => {
  const pool = (shoot.spec?.provider?.workers ?? []).find(
    ({ name }) => name === labels?.['worker.gardener.cloud/pool'],
  )
  const version: unknown = Object(pool?.kubernetes).version
  return typeof version === 'string' && version !== '' ? version : (shoot.spec?.kubernetes?.version ?? '')
}

const changeKubeletUnit = (content: string, { flags = [], startPre }: KubeletChanges): string => {
  if (flags.length === 0 && startPre === undefined) return content
  return decoding(kubeletUnit, () => {
    // An empty line resets the previous ones and starts nothing.
    const withFlags = changeOption(parseUnit(content), 'Service', 'ExecStart', line =>
      line === ''
        ? line
        : joinCommandLine(
            flags.reduce((items, [name, value]) => setFlag(items, name, value), splitCommandLine(line)),
          ),
    )
    return formatUnit(
      startPre === undefined ? withFlags : ensureOption(withFlags, 'Service', 'ExecStartPre', startPre),
    )
  })
}

const changeKubeletFields = (text: string, { fields = {}, fieldsIfSet = {} }: KubeletChanges): string =>
  Object.entries(fieldsIfSet).reduce(
    (all, [field, value]) => setKubeletField(all, field, value, { onlyIfSet: true }),
    Object.entries(fields).reduce((all, [field, value]) => setKubeletField(all, field, value), text),
  )

const changeText = (one: NodeFile, what: string, change: (text: string) => string): NodeFile => {
  const inline = one.content?.inline
  if (!inline) return one
  return decoding(what, () => {
    const text = textOfInline(inline)
    const changed = change(text)
    return changed === text
      ? one
      : { ...one, content: { ...one.content, inline: withInlineText(inline, changed) } }
  })
}

const ensured = <
  F extends 'units' | 'files',
  K extends 'name' | 'path',
  T extends Readonly<Record<K, string>>,
>(
  field: F,
  items: readonly T[] | undefined,
  wanted: readonly T[],
  key: K,
) => {
  const all = wanted.reduce<readonly T[]>((list, item) => ensureItem(list, key, item), items ?? [])
  return items === undefined && all.length === 0 ? {} : { [field]: all }
}

const decoding = <T>(what: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw configurationProblem(`could not decode ${what}: ${messageOf(error)}`, error)
  }
}

/** File content in an OperatingSystemConfig. */
export interface InlineContent {
  /** Absent or empty: `data` is the text. `b64`: `data` is base64. */
  readonly encoding?: string | null | undefined
  readonly data: string
}

/** Returns the text. Throws an Error for an unknown encoding, invalid base64 and data that is not text. */
export const textOfInline = ({ encoding, data }: InlineContent): string => {
  if (encoding === undefined || encoding === null || encoding === '') return data
  if (encoding !== 'b64') throw new Error('its encoding is neither empty nor b64')
  return textOfBase64(data)
}

/** Returns the content with a new text, in the same encoding. */
export const withInlineText = <C extends InlineContent>(content: C, text: string): C => ({
  ...content,
  data: content.encoding === 'b64' ? Buffer.from(text).toString('base64') : text,
})

/** Decodes base64 as the API server does: padded, in one line or several. Throws an Error without the data. */
export const textOfBase64 = (data: string): string => {
  const compact = data.replaceAll(/[\r\n]/g, '')
  const bytes = Buffer.from(compact, 'base64')
  if (bytes.toString('base64') !== compact) throw new Error('expected base64 text')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8 text')
  }
}

const apiVersion = 'kubelet.config.k8s.io/v1beta1'
const kind = 'KubeletConfiguration'

/**
 * Sets a top-level field in a kubelet configuration (YAML or JSON). All other bytes are unchanged: unknown fields,
 * comments, quotes. A new field is inserted in alphabetical order, where gardenlet would write it. `onlyIfSet`: a
 * missing or empty field is not added. Throws a one-line Error without the text if it is not a KubeletConfiguration.
 *
 * @param value a text that YAML reads unchanged without quotes
 */
export const setKubeletField = (
  text: string,
  field: string,
  value: boolean | string,
  { onlyIfSet = false }: { readonly onlyIfSet?: boolean } = {},
): string => {
  // The parser skips a byte order mark and does not count it in offsets.
  if (text.startsWith('\uFEFF')) return `\uFEFF${setKubeletField(text.slice(1), field, value, { onlyIfSet })}`
  const plain =
    typeof value === 'boolean' && !onlyIfSet
      ? setPlainField(text, field, value, { apiVersion, kind })
      : undefined
  if (plain !== undefined) return plain
  const { document, map } = parsed(text)
  const same = map.items.filter(pair => nameOf(pair) === field)
  if (same.length > 1) throw new Error(`${field} occurs more than once`)
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
  // Aliases are not resolved, so they cost nothing. Keys are not compared pairwise, which takes quadratic time.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  const [problem] = document.errors
  if (problem !== undefined)
    throw new Error(`line ${text.slice(0, problem.pos[0]).split('\n').length}: not YAML (${problem.code})`)
  const map: unknown = document.contents
  if (!isMap(map) || map.get('kind') !== kind || map.get('apiVersion') !== apiVersion)
    throw new Error(`it is not a ${kind} of ${apiVersion}`)
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

/** Returns true if the document has an explicit end. Nothing of it may follow. */
const endsExplicitly = (text: string): boolean => /^\.\.\.\s*$/m.test(text)

/** Rewrites the whole document, if a single line cannot be inserted. */
const rewritten = (document: Document, field: string, value: boolean | string): string => {
  document.set(field, value)
  return document.toString({ lineWidth: 0, indentSeq: false })
}

const nameOf = ({ key }: Pair): string | undefined =>
  isScalar(key) && typeof key.value === 'string' ? key.value : undefined

const offsetOf = ({ key }: Pair): number | undefined => (isScalar(key) ? key.range?.[0] : undefined)

/** Returns the blanks before the keys of the map, or undefined if a key is not at the beginning of its line. */
const indentOf = (text: string, map: YAMLMap): string | undefined => {
  const [first] = map.items
  const offset = first === undefined ? undefined : offsetOf(first)
  if (offset === undefined) return undefined
  const indent = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^ *$/.test(indent) ? indent : undefined
}

/**
 * Returns the start of a key's line, including comments right above it, or undefined if something precedes the key in
 * its line.
 */
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

/**
 * A key of letters, alone or with a value that needs none of YAML's special rules, or a list entry with such a value.
 */
const plainLine =
  /^( *)(?:([A-Za-z][\w.-]*):(?= \S|$)|-(?= \S)) ?((?:-?[A-Za-z0-9/](?:[\w./%-]|:(?=\S))*|"[\w ./%:-]*"|\{\}|\[\])?)$/
/** Keys that YAML does not read as text. */
const noName = /^(?:true|false|null)$/i

/** Top-level fields that the text must have, with these values. */
type Required = Readonly<Record<string, string>>

/**
 * Returns the text with a top-level field set and every other byte unchanged. Same result as a YAML parser in a tenth
 * of the time, for texts as written by Go: blocks indented by two, lists at the indent of their key, plain values.
 * Returns undefined if a parser is needed: any other text, a broken one, or one without the required fields.
 */
export const setPlainField = (
  text: string,
  field: string,
  value: boolean,
  required: Required,
): string | undefined => {
  if (!text.endsWith('\n')) return undefined
  const missing = new Map(Object.entries(required))
  let depth = 0
  /** State after the previous line: `key` after a key without a value, `list` within a list. */
  let open: 'nothing' | 'key' | 'list' = 'nothing'
  let start = 0
  let before: number | undefined
  let present: { readonly from: number; readonly to: number } | undefined
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const [line, indent = '', key, content = ''] = plainLine.exec(text.slice(start, end)) ?? []
    if (line === undefined) return undefined
    if (key === undefined) {
      if (open === 'nothing' || indent.length !== depth || content === '') return undefined
      open = 'list'
    } else {
      const isDeeper = open === 'key' && indent.length === depth + 2
      if (noName.test(key) || (!isDeeper && (indent.length > depth || indent.length % 2 !== 0)))
        return undefined
      depth = indent.length
      open = content === '' ? 'key' : 'nothing'
      if (depth === 0) {
        if (key in required) {
          if (missing.get(key) !== content) return undefined
          missing.delete(key)
        }
        if (key === field) {
          if (present !== undefined || (content !== 'true' && content !== 'false')) return undefined
          present = { from: end - content.length, to: end }
        } else if (key > field) before ??= start
      }
    }
    start = end + 1
  }
  if (missing.size > 0) return undefined
  if (present !== undefined) return `${text.slice(0, present.from)}${value}${text.slice(present.to)}`
  const at = before ?? text.length
  return `${text.slice(0, at)}${field}: ${value}\n${text.slice(at)}`
}
