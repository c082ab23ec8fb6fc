import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Of decompressed manifests, in bytes. A Secret has 1 MiB, so that more is no honest content. */
const mostBytes = 16 * 1024 * 1024

const isCompressed = (key: string): boolean => key.endsWith('.br')

/** The data of the Secret, by key: the objects as documents (docs/contract/managed-resources.md#data). */
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
 * JSON with keys in order, which is YAML to whoever reads it, and says of each value whether it is a text: YAML 1.1, which
 * resource managers read, takes a bare `on` for true and `010` for eight.
 */
const documentOf = (object: KubernetesObject): string =>
  // What JSON leaves as it is and YAML does not allow: C1 controls, DEL, byte order marks.
  orderedJson(object).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** JSON with keys in order; fields that are null say the same as none. Written by one pass: Calico's kinds are 170 kB. */
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
 * Whether a Secret holds the very objects, in whatever order, style or key they were written: what another program has
 * written stays where it says the same. A status, which nobody applies, does not count. What cannot be read is not the same.
 *
 * @param data base64 by key, as the API has it
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
 * The documents in the data of such a Secret.
 *
 * @param data base64 by key, as the API has it
 * @throws what JSON, YAML and Brotli throw of what they cannot read
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

/** Documents that are no object, such as one of comments alone, do not count. */
const readDocuments = async (text: string): Promise<readonly unknown[]> =>
  (readJson(text) ?? (await readYaml(text))).filter(value => typeof value === 'object' && value !== null)

/** As `manifestsOf` writes them; undefined: it is YAML. */
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

/** By the rules of YAML 1.1 as Kubernetes reads it: a time is a text. */
const readYaml = async (text: string): Promise<readonly unknown[]> => {
  // Read by few steps: those that meet what another program has written.
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
