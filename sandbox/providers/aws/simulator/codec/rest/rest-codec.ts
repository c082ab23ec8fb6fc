import { XmlNode } from '@aws-sdk/xml-builder'
import type { NormalizedSchema } from '@smithy/core/schema'
import type { Codec } from '../codec.ts'
import { MalformedRequest } from '../malformed.ts'
import type { WireRequest, WireResponse } from '../message.ts'
import type { ModelOperation, ServiceModel } from '../model.ts'
import { errorStatus } from '../wire-error.ts'
import { requestIdHeaders, xmlError } from '../xml/xml-error.ts'
import { parseXml, readXml, readXmlMembers } from '../xml/xml-read.ts'
import { writeXml, writeXmlMembers, xmlDeclaration } from '../xml/xml-write.ts'
import { type Bindings, bindingsOf, type Member, readBindings, writeHeaders } from './bindings.ts'
import { parseJson, readJson, readJsonMembers, writeJson, writeJsonMembers } from './json.ts'
import { createRouter } from './route.ts'

type Values = Readonly<Record<string, unknown>>

/** The format of structures and their parts in a body: XML or JSON. */
interface BodyFormat {
  readonly contentType: string
  readMembers(members: readonly Member[], body: Uint8Array): Record<string, unknown>
  readValue(schema: NormalizedSchema, body: Uint8Array): unknown
  writeMembers(members: readonly Member[], values: Values, rootName: string): string
  writeValue(schema: NormalizedSchema, value: unknown): string
}

const xmlFormat = (model: ServiceModel): BodyFormat => {
  const rooted = (element: XmlNode): string => {
    if (model.xmlNamespace) element.addAttribute('xmlns', model.xmlNamespace)
    return xmlDeclaration + element.toString()
  }
  return {
    contentType: 'text/xml',
    readMembers: (members, body) => readXmlMembers(members, parseXml(body)),
    readValue: (schema, body) => readXml(schema, parseXml(body)),
    writeMembers: (members, values, rootName) =>
      rooted(writeXmlMembers(members, values, new XmlNode(rootName))),
    writeValue: (schema, value) =>
      rooted(writeXml(schema, value, schema.getMergedTraits().xmlName ?? schema.getName() ?? '')),
  }
}

const jsonFormat: BodyFormat = {
  contentType: 'application/json',
  readMembers: (members, body) => {
    const value = parseJson(body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new MalformedRequest('body', '', 'The request body is no JSON object.')
    }
    return readJsonMembers(members, value as Values)
  },
  readValue: (schema, body) => readJson(schema, parseJson(body)),
  writeMembers: (members, values) => JSON.stringify(writeJsonMembers(members, values)),
  writeValue: (schema, value) => JSON.stringify(writeJson(schema, value)),
}

const isRaw = (schema: NormalizedSchema): boolean => schema.isBlobSchema() || schema.isStringSchema()

const readPayload = (format: BodyFormat, schema: NormalizedSchema, body: Uint8Array): unknown => {
  if (schema.isBlobSchema()) return body
  if (schema.isStringSchema()) return Buffer.from(body).toString('utf8')
  return format.readValue(schema, body)
}

const readBody = (format: BodyFormat, bindings: Bindings, request: WireRequest): Record<string, unknown> => {
  if (bindings.payload) {
    const [name, schema] = bindings.payload
    return request.body.length === 0 ? {} : { [name]: readPayload(format, schema, request.body) }
  }
  if (bindings.body.length === 0 || request.body.length === 0) return {}
  return format.readMembers(bindings.body, request.body)
}

/** Smithy, "httpPayload trait": bytes are `application/octet-stream` unless the output has a content type. */
const contentTypeOf = (format: BodyFormat, { payload }: Bindings): string =>
  payload?.[1].isBlobSchema() ? 'application/octet-stream' : format.contentType

const payloadBytes = (format: BodyFormat, schema: NormalizedSchema, value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  return Buffer.from(isRaw(schema) ? String(value) : format.writeValue(schema, value), 'utf8')
}

const writeBody = (
  format: BodyFormat,
  operation: ModelOperation,
  bindings: Bindings,
  output: Values,
): Uint8Array => {
  if (bindings.payload) {
    const [name, schema] = bindings.payload
    const value = output[name]
    return value === undefined || value === null ? new Uint8Array() : payloadBytes(format, schema, value)
  }
  if (bindings.body.length === 0) return new Uint8Array()
  const rootName = operation.output.getMergedTraits().xmlName ?? operation.output.getName() ?? operation.name
  const [only, ...others] = bindings.body
  if (only && others.length === 0 && only[0] === rootName && isRaw(only[1])) {
    // S3 sends the bucket's location as the text of the root, not in a member with the same name.
    return Buffer.from(format.writeValue(only[1], output[only[0]] ?? ''), 'utf8')
  }
  return Buffer.from(format.writeMembers(bindings.body, output, rootName), 'utf8')
}

/** JSON errors have their code in a header and their members in the body. */
const jsonError = (
  model: ServiceModel,
  ...[error, requestId]: Parameters<Codec['encodeError']>
): WireResponse => {
  const schema = model.errors.get(error.code)?.schema
  const members = schema ? [...schema.structIterator()] : []
  const messageName =
    members.map(([name]) => name).find(name => name.toLowerCase() === 'message') ?? 'message'
  const values = { ...error.members, [messageName]: error.message }
  const body = schema ? writeJsonMembers(members, values) : values
  return {
    status: errorStatus(model, error),
    headers: {
      'content-type': 'application/json',
      'x-amzn-errortype': error.code,
      ...requestIdHeaders(model, requestId),
      ...error.headers,
    },
    body: Buffer.from(JSON.stringify({ ...values, ...body }), 'utf8'),
  }
}

/** The codec of restXml and restJson: path, query, headers and body. */
export const createRestCodec = (model: ServiceModel): Codec => {
  const format = model.protocol === 'restXml' ? xmlFormat(model) : jsonFormat
  const router = createRouter(model)
  const cache = new Map<string, Bindings>()
  const bindings = (operation: ModelOperation, side: 'request' | 'response'): Bindings => {
    const key = `${side} ${operation.name}`
    const known = cache.get(key)
    if (known) return known
    const fresh = bindingsOf(side === 'request' ? operation.input : operation.output, side)
    cache.set(key, fresh)
    return fresh
  }
  return {
    route: request => {
      const { operation, labels } = router(request)
      const bound = bindings(operation, 'request')
      return {
        operation,
        readInput: () => ({ ...readBody(format, bound, request), ...readBindings(bound, request, labels) }),
      }
    },
    encode: (operation, output, requestId) => {
      const bound = bindings(operation, 'response')
      const body = writeBody(format, operation, bound, output)
      const status = bound.status ? output[bound.status[0]] : undefined
      const headers = writeHeaders(bound, output)
      return {
        status: typeof status === 'number' ? status : (operation.http?.status ?? 200),
        headers: {
          ...(body.length > 0 ? { 'content-type': contentTypeOf(format, bound) } : {}),
          ...requestIdHeaders(model, requestId),
          ...headers,
        },
        body,
      }
    },
    encodeError: (error, requestId) =>
      model.protocol === 'restXml' ? xmlError(model, error, requestId) : jsonError(model, error, requestId),
  }
}
