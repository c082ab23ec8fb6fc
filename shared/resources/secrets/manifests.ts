import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, brotliDecompress } from 'node:zlib'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'

// Looked up at each call: a simulation replaces these functions.
const compress = (bytes: Uint8Array) => promisify(brotliCompress)(bytes)
const decompress = (bytes: Uint8Array, options: BrotliOptions) => promisify(brotliDecompress)(bytes, options)

/** Limit of decompressed manifests in bytes. A Secret has 1 MiB, so more is not a valid content. */
const mostBytes = 16 * 1024 * 1024

const isCompressed = (key: string): boolean => key.endsWith('.br')

/** Returns the data of the Secret by key: the objects as documents (docs/contract/managed-resources.md#data). */
export const manifestsOf = async ({
  key,
  objects,
}: Pick<DesiredManagedResource, 'key' | 'objects'>): Promise<Readonly<Record<string, Uint8Array>>> => {
  const ordered = isCompressed(key) ? objects.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)) : objects
  const text = Buffer.from(ordered.map(object => `---\n${documentOf(object)}\n`).join(''))
  return { [key]: isCompressed(key) ? await compress(text) : text }
}

const placeOf = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string => {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return `${kind}.${group}__${namespace}__${name}`.toLowerCase()
}

/**
 * JSON with sorted keys is valid YAML and quotes every text: in YAML 1.1, which resource managers read, a bare `on` is
 * true and `010` is eight.
 */
const documentOf = (object: KubernetesObject): string =>
  // Characters that JSON allows and YAML forbids: C1 controls, DEL, byte order marks.
  orderedJson(object).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** JSON with sorted keys; null fields are omitted. Written in one pass: Calico's kinds have 170 kB. */
const orderedJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const inner: unknown = Reflect.get(value, key)
    if (inner === null || inner === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${orderedJson(inner)}`
  }
  return `{${text}}`
}

/**
 * Returns true if a Secret contains exactly these objects in any order, style or key, so that another program's equal
 * content is retained. Ignores the status, which is never applied. Unreadable data is not equal.
 *
 * @param data base64 by key, as in the API
 */
export const holdsSame = async (data: unknown, objects: readonly KubernetesObject[]): Promise<boolean> => {
  try {
    const documents = await readManifests(data)
    const [present, desired] = [documents.map(comparable).sort(), objects.map(comparable).sort()]
    return present.length === desired.length && present.every((text, index) => text === desired[index])
  } catch {
    return false
  }
}

/**
 * Returns the documents in the data of such a Secret.
 *
 * @param data base64 by key, as in the API
 * @throws the errors of JSON, YAML and Brotli
 *
 * @example
 * const secret = await kubernetes.get(secrets, { namespace, name: 'extension-acme-1a2b3c4d' })
 * const documents = await readManifests(secret?.data)
 */
export const readManifests = async (data: unknown): Promise<readonly unknown[]> => {
  const documents: unknown[] = []
  for (const [key, value] of Object.entries(Object(data))) {
    const bytes = Buffer.from(String(value), 'base64')
    const text = isCompressed(key) ? await decompress(bytes, { maxOutputLength: mostBytes }) : bytes
    documents.push(...(await readDocuments(text.toString())))
  }
  return documents
}

const comparable = (object: unknown): string => {
  const { status, ...fields } = Object(object)
  return orderedJson(fields)
}

/** Skips documents that are not objects, such as those with only comments. */
const readDocuments = async (text: string): Promise<readonly unknown[]> =>
  (readJson(text) ?? (await readYaml(text))).filter(value => typeof value === 'object' && value !== null)

/** Parses the format of `manifestsOf`. Undefined: it is YAML. */
const readJson = (text: string): readonly unknown[] | undefined => {
  try {
    return text
      .split(/^---$/m)
      .filter(part => part.trim() !== '')
      .map(part => JSON.parse(part))
  } catch {
    return undefined
  }
}

/** Uses the rules of YAML 1.1 in Kubernetes: a time is a text. */
const readYaml = async (text: string): Promise<readonly unknown[]> => {
  // Loaded on demand: few steps find another program's manifests.
  const { parseAllDocuments } = await import('yaml')
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: tags => tags.filter(tag => typeof tag === 'string' || !tag.tag.endsWith(':timestamp')),
  })
  if (!Array.isArray(documents)) return []
  return documents.map(document => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS()
  })
}
