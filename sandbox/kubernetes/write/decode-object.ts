import { isDeeper } from '../../../shared/decode/json-bounds.ts'
import type { KubernetesObject, ObjectMeta } from '../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { readYaml } from '../../../shared/text/read-yaml.ts'
import { badRequest, invalid, undecodable, unsupportedMediaType } from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf } from '../resources/resource-definition.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { decodeProtobuf, protobufType } from '../wire/decode-protobuf.ts'

/** Parses a request body of a content type as JSON. `kind` is the expected kind, for the message of the 400. */
export const decodeBody = (
  body: string | Uint8Array | undefined,
  contentType: string | undefined,
  kind?: string,
): unknown => {
  const media = contentType?.split(';')[0]?.trim() ?? 'application/json'
  if (media === protobufType && typeof body === 'object') return decodeProtobuf(body)
  if (media !== 'application/yaml' && media !== 'application/json') {
    throw unsupportedMediaType(['application/json', 'application/yaml', protobufType])
  }
  return parseDocument(decodeText(body), media === 'application/yaml', kind)
}

export const decodeText = (body: string | Uint8Array | undefined): string =>
  typeof body === 'object' ? new TextDecoder().decode(body) : (body ?? '')

export const parseDocument = (text: string, isYaml: boolean, kind = 'object'): unknown => {
  const unrecognized = (why: string) => {
    const shown = text === '' ? '<empty>' : text.slice(0, 30)
    return badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${shown})`,
    )
  }
  let value: unknown
  try {
    value = isYaml ? firstOfYaml(text) : JSON.parse(text)
  } catch (error) {
    throw unrecognized(messageOf(error))
  }
  if (isDeeper(value, deepestDocument)) throw unrecognized('exceeded max depth')
  return value
}

/** Returns the first document of a text. Throws an `Error` with the problem of an unreadable one. */
const firstOfYaml = (text: string): unknown => {
  const [first = { value: null }] = readYaml(text)
  if ('problem' in first) throw new Error(first.problem)
  return first.value
}

/**
 * Maximum depth of a document. kube-apiserver accepts 10,000; the functions for schemas, patches and field sets here
 * recurse once per level.
 */
const deepestDocument = 1_000

/** Returns the type of a JSON value as Go's decoder names it. */
const goType = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const isTextMap = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every(entry => typeof entry === 'string')

/** Checks the types of the metadata fields that this server uses. */
const metadataOf = (value: unknown, kind: string, version: string): ObjectMeta => {
  const cannotBe = (what: unknown, field: string, type: string) =>
    undecodable(
      kind,
      version,
      `json: cannot unmarshal ${goType(what)} into Go struct field ${field} of type ${type}`,
    )
  const cannot = (field: string, what: unknown, type: string) => cannotBe(what, `ObjectMeta.${field}`, type)
  if (value === undefined || value === null) return { name: '' }
  if (!isRecord(value)) throw cannotBe(value, `${kind}.metadata`, 'v1.ObjectMeta')
  const { name = '', namespace, labels, annotations, finalizers, uid, resourceVersion } = value
  if (typeof name !== 'string') throw cannot('name', name, 'string')
  for (const [field, text] of Object.entries({ namespace, uid, resourceVersion })) {
    if (text !== undefined && text !== null && typeof text !== 'string') throw cannot(field, text, 'string')
  }
  for (const [field, map] of Object.entries({ labels, annotations })) {
    if (map === undefined || map === null || isTextMap(map)) continue
    if (!isRecord(map)) throw cannot(field, map, 'map[string]string')
    const wrong = Object.values(map).find(entry => typeof entry !== 'string')
    throw cannot(field, wrong, 'string')
  }
  if (finalizers !== undefined && finalizers !== null) {
    if (!Array.isArray(finalizers) || !finalizers.every(item => typeof item === 'string')) {
      throw cannot('finalizers', finalizers, '[]string')
    }
  }
  return { ...value, name }
}

/** Returns a JSON value as an object of the served resource. Returns 400 if it is not one. */
export const asObject = (value: unknown, { type, version }: ServedResource): KubernetesObject => {
  const text = JSON.stringify(value)
  const unrecognized = (why: string) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): ${why} (${text.slice(0, 60)})`,
    )
  if (!isRecord(value)) throw unrecognized(`couldn't get version/kind; json parse error: it is no object`)
  const { apiVersion, kind, metadata } = value
  if (typeof kind !== 'string' || kind === '') throw unrecognized(`Object 'Kind' is missing in '${text}'`)
  const expected = apiVersionOf(type.group, version.name)
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  const meta = metadataOf(metadata, kind, version.name)
  if (kind !== type.kind) {
    if (!type.custom)
      throw badRequest(`${kind} in version "${version.name}" cannot be handled as a ${type.kind}`)
    const message = `Invalid value: ${JSON.stringify(kind)}: must be ${type.kind}`
    throw invalid({ group: type.group, kind }, meta.name, [
      { reason: 'FieldValueInvalid', message, field: 'kind' },
    ])
  }
  return { ...value, apiVersion: expected, kind, metadata: meta }
}
