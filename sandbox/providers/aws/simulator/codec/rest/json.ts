import type { NormalizedSchema } from '@smithy/core/schema'
import { NumericValue } from '@smithy/core/serde'
import { MalformedRequest } from '../malformed.ts'
import { readText, timestampFormat, writeText } from '../text.ts'

/** @throws MalformedRequest of kind `body` */
export const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new MalformedRequest('body', '', 'The request body is no JSON.', { cause })
  }
}

const wireName = (member: NormalizedSchema): string =>
  member.getMergedTraits().jsonName ?? member.getMemberName()

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (schema: NormalizedSchema, expected: string) =>
  new MalformedRequest('value', schema.getMemberName(), `is no ${expected}`)

/** Reads the given members from a JSON object. Null counts as absent. */
export const readJsonMembers = (
  members: Iterable<readonly [string, NormalizedSchema]>,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const output: Record<string, unknown> = {}
  for (const [name, member] of members) {
    const item = value[wireName(member)]
    if (item !== undefined && item !== null) output[name] = readJson(member, item)
  }
  return output
}

const readSimple = (schema: NormalizedSchema, value: unknown): unknown => {
  if (schema.isStringSchema() && typeof value !== 'string') throw refuse(schema, 'string')
  if (schema.isBooleanSchema() && typeof value !== 'boolean') throw refuse(schema, 'boolean')
  if (schema.isTimestampSchema() && typeof value === 'number') return new Date(Math.round(value * 1000))
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' && schema.isNumericSchema()) return value
  return readText(schema, String(value), 'epoch-seconds')
}

/**
 * Reads a JSON value by its schema.
 *
 * @throws MalformedRequest of kind `value`
 */
export const readJson = (schema: NormalizedSchema, value: unknown): unknown => {
  if (schema.isDocumentSchema()) return value
  if (schema.isStructSchema()) {
    if (!isObject(value)) throw refuse(schema, 'object')
    return readJsonMembers(schema.structIterator(), value)
  }
  if (schema.isListSchema()) {
    if (!Array.isArray(value)) throw refuse(schema, 'list')
    return value.filter(item => item !== null).map(item => readJson(schema.getValueSchema(), item))
  }
  if (schema.isMapSchema()) {
    if (!isObject(value)) throw refuse(schema, 'object')
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== null)
        .map(([key, item]) => [key, readJson(schema.getValueSchema(), item)]),
    )
  }
  return readSimple(schema, value)
}

/** Returns the JSON form of the given members. Omits absent members. */
export const writeJsonMembers = (
  members: Iterable<readonly [string, NormalizedSchema]>,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const output: Record<string, unknown> = {}
  for (const [name, member] of members) {
    const item = value[name]
    if (item !== undefined && item !== null) output[wireName(member)] = writeJson(member, item)
  }
  return output
}

/** Returns the JSON form of a value. Integers and decimals are limited to the precision of a double. */
export const writeJson = (schema: NormalizedSchema, value: unknown): unknown => {
  if (schema.isDocumentSchema()) return value
  if (schema.isStructSchema())
    return writeJsonMembers(schema.structIterator(), value as Record<string, unknown>)
  if (schema.isListSchema()) {
    return (value as unknown[]).map(item => writeJson(schema.getValueSchema(), item))
  }
  if (schema.isMapSchema()) {
    return Object.fromEntries(
      Object.entries(value as Record<string, unknown>).map(([key, item]) => [
        key,
        writeJson(schema.getValueSchema(), item),
      ]),
    )
  }
  if (value instanceof Date && timestampFormat(schema, 'epoch-seconds') === 'epoch-seconds') {
    return value.getTime() / 1000
  }
  if (value instanceof Date || value instanceof Uint8Array) return writeText(schema, value, 'epoch-seconds')
  if (typeof value === 'bigint' || value instanceof NumericValue) return Number(String(value))
  return value
}
