import type { NormalizedSchema } from '@smithy/core/schema'
import { quoteHeader, splitEvery, splitHeader } from '@smithy/core/serde'
import type { WireRequest } from '../message.ts'
import { readText, timestampFormat, writeText } from '../text.ts'

/** The places of a REST structure's members in a message. */
export interface Bindings {
  readonly labels: readonly Member[]
  readonly query: readonly Member[]
  readonly queryMap: Member | undefined
  readonly headers: readonly Member[]
  readonly prefixHeaders: readonly Member[]
  readonly status: Member | undefined
  readonly payload: Member | undefined
  /** The members that share the body. */
  readonly body: readonly Member[]
}

export type Member = readonly [name: string, schema: NormalizedSchema]

/**
 * Groups the members of a structure. In a response, labels and query parameters are part of the body, as Smithy
 * requires.
 */
export const bindingsOf = (schema: NormalizedSchema, side: 'request' | 'response'): Bindings => {
  const members: readonly Member[] = schema.isStructSchema() ? [...schema.structIterator()] : []
  const request = side === 'request'
  const place = ([, member]: Member): keyof Bindings => {
    const traits = member.getMergedTraits()
    if (traits.httpPayload) return 'payload'
    if (traits.httpHeader !== undefined) return 'headers'
    if (traits.httpPrefixHeaders !== undefined) return 'prefixHeaders'
    if (traits.httpResponseCode && !request) return 'status'
    if (traits.httpLabel && request) return 'labels'
    if (traits.httpQuery !== undefined && request) return 'query'
    if (traits.httpQueryParams && request) return 'queryMap'
    return 'body'
  }
  const at = (wanted: keyof Bindings) => members.filter(member => place(member) === wanted)
  return {
    labels: at('labels'),
    query: at('query'),
    queryMap: at('queryMap')[0],
    headers: at('headers'),
    prefixHeaders: at('prefixHeaders'),
    status: at('status')[0],
    payload: at('payload')[0],
    body: at('body'),
  }
}

const queryName = (member: NormalizedSchema): string => member.getMergedTraits().httpQuery ?? ''
const headerName = (member: NormalizedSchema): string =>
  (member.getMergedTraits().httpHeader ?? member.getMergedTraits().httpPrefixHeaders ?? '').toLowerCase()

/** A string with a media type is base64 in a header. */
const isEncoded = (schema: NormalizedSchema): boolean =>
  schema.isStringSchema() && schema.getMergedTraits().mediaType !== undefined

const readHeader = (schema: NormalizedSchema, text: string): unknown => {
  if (schema.isListSchema()) {
    const item = schema.getValueSchema()
    const dated = item.isTimestampSchema() && timestampFormat(item, 'http-date') === 'http-date'
    // An HTTP date contains a comma.
    const parts = dated ? splitEvery(text, ',', 2) : splitHeader(text)
    return parts.map(part => readHeader(item, part.trim()))
  }
  if (isEncoded(schema)) return Buffer.from(text, 'base64').toString('utf8')
  return readText(schema, text, 'http-date')
}

const writeHeader = (schema: NormalizedSchema, value: unknown): string => {
  if (!schema.isListSchema()) {
    const text = writeText(schema, value, 'http-date')
    return isEncoded(schema) ? Buffer.from(text, 'utf8').toString('base64') : text
  }
  const item = schema.getValueSchema()
  return (value as unknown[])
    .map(entry =>
      item.isTimestampSchema() ? writeHeader(item, entry) : quoteHeader(writeHeader(item, entry)),
    )
    .join(', ')
}

/** Reads the members of a request in its path, query and headers. */
export const readBindings = (
  bindings: Bindings,
  request: WireRequest,
  labels: Readonly<Record<string, string>>,
): Record<string, unknown> => {
  const output: Record<string, unknown> = {}
  for (const [name, member] of bindings.labels) {
    const text = labels[name]
    if (text !== undefined) output[name] = readText(member, text, 'date-time')
  }
  for (const [name, member] of bindings.query) {
    const values = request.query.get(queryName(member))
    if (values?.[0] === undefined) continue
    output[name] = member.isListSchema()
      ? values.map(value => readText(member.getValueSchema(), value, 'date-time'))
      : readText(member, values[0], 'date-time')
  }
  if (bindings.queryMap) {
    const [name, member] = bindings.queryMap
    const bound = new Set(bindings.query.map(([, other]) => queryName(other)))
    const lists = member.getValueSchema().isListSchema()
    const rest = [...request.query].filter(([key]) => !bound.has(key))
    output[name] = Object.fromEntries(rest.map(([key, values]) => [key, lists ? [...values] : values[0]]))
  }
  for (const [name, member] of bindings.headers) {
    const text = request.headers[headerName(member)]
    if (text !== undefined) output[name] = readHeader(member, text)
  }
  for (const [name, member] of bindings.prefixHeaders) {
    const prefix = headerName(member)
    const found = Object.entries(request.headers).filter(([header]) => header.startsWith(prefix))
    if (found.length > 0) {
      output[name] = Object.fromEntries(found.map(([header, text]) => [header.slice(prefix.length), text]))
    }
  }
  return output
}

/** Returns the headers with members of a response. */
export const writeHeaders = (
  bindings: Bindings,
  value: Readonly<Record<string, unknown>>,
): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const [name, member] of bindings.headers) {
    const item = value[name]
    if (item !== undefined && item !== null) headers[headerName(member)] = writeHeader(member, item)
  }
  for (const [name, member] of bindings.prefixHeaders) {
    for (const [key, item] of Object.entries((value[name] as Record<string, unknown> | undefined) ?? {})) {
      headers[`${headerName(member)}${key.toLowerCase()}`] = String(item)
    }
  }
  return headers
}
