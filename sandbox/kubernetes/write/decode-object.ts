import { parse as parseYaml } from 'yaml'
import type { KubernetesObject, ObjectMeta } from '../../../shared/kubernetes/port.ts'
import { badRequest, unsupportedMediaType } from '../api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf } from '../resources/resource-type.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { decodeProtobuf, protobufType } from '../wire/decode-protobuf.ts'

/** A request body of a content type, as JSON value. */
export const decodeBody = (
  body: string | Uint8Array | undefined,
  contentType: string | undefined,
): unknown => {
  const media = contentType?.split(';')[0]?.trim() ?? 'application/json'
  if (media === protobufType && typeof body === 'object') return decodeProtobuf(body)
  const isYaml = media === 'application/yaml'
  if (!isYaml && media !== 'application/json') {
    throw unsupportedMediaType(['application/json', 'application/yaml'])
  }
  return parseDocument(textOf(body), isYaml)
}

/** A body that is text, whatever it came as. */
export const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === 'object' ? new TextDecoder().decode(body) : (body ?? '')

export const parseDocument = (text: string, isYaml: boolean): unknown => {
  try {
    return isYaml ? parseYaml(text) : JSON.parse(text)
  } catch (error) {
    throw badRequest(`error decoding the request body: ${error instanceof Error ? error.message : error}`)
  }
}

const isTextMap = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every(entry => typeof entry === 'string')

/** Checks the types of the metadata fields that code here relies on. */
const metadataOf = (value: unknown, kind: string): ObjectMeta => {
  const cannot = (field: string) =>
    badRequest(`${kind} cannot be handled as a ${kind}: wrong type of metadata.${field}`)
  if (value === undefined || value === null) return { name: '' }
  if (!isRecord(value)) throw badRequest(`${kind} cannot be handled as a ${kind}: metadata is no object`)
  const { name = '', namespace, labels, annotations, finalizers, uid, resourceVersion } = value
  if (typeof name !== 'string') throw cannot('name')
  for (const [field, text] of Object.entries({ namespace, uid, resourceVersion })) {
    if (text !== undefined && text !== null && typeof text !== 'string') throw cannot(field)
  }
  for (const [field, map] of Object.entries({ labels, annotations })) {
    if (map !== undefined && map !== null && !isTextMap(map)) throw cannot(field)
  }
  if (finalizers !== undefined && finalizers !== null) {
    if (!Array.isArray(finalizers) || !finalizers.every(item => typeof item === 'string')) {
      throw cannot('finalizers')
    }
  }
  return { ...value, name }
}

/** A JSON value as an object of the served resource; 400 when it is none. */
export const asObject = (value: unknown, { type, version }: ServedResource): KubernetesObject => {
  if (!isRecord(value)) throw badRequest(`the request body is no object, expected a ${type.kind}`)
  const { apiVersion, kind, metadata } = value
  if (typeof kind !== 'string' || kind === '') {
    throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(value).slice(0, 200)}'`)
  }
  const expected = apiVersionOf(type.group, version.name)
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  if (kind !== type.kind) {
    throw badRequest(`${kind} in version "${version.name}" cannot be handled as a ${type.kind}`)
  }
  return { ...value, apiVersion: expected, kind, metadata: metadataOf(metadata, kind) }
}
