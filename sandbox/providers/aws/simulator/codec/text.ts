import type { NormalizedSchema } from '@smithy/core/schema'
import {
  _parseEpochTimestamp,
  _parseRfc3339DateTimeWithOffset,
  _parseRfc7231DateTime,
  dateToUtcString,
  NumericValue,
} from '@smithy/core/serde'
import { MalformedRequest } from './malformed.ts'

export type TimestampFormat = 'date-time' | 'http-date' | 'epoch-seconds'

/** The `SCHEMA.TIMESTAMP_*` values of Smithy's schema encoding, which name a timestamp format. */
const formats: Readonly<Record<number, TimestampFormat>> = {
  5: 'date-time',
  6: 'http-date',
  7: 'epoch-seconds',
}

/** Returns the format that the schema demands, else the default of its place on the wire. */
export const timestampFormat = (schema: NormalizedSchema, otherwise: TimestampFormat): TimestampFormat => {
  const kind = schema.getSchema()
  return (typeof kind === 'number' ? formats[kind] : undefined) ?? otherwise
}

const parseTime = (text: string, format: TimestampFormat): Date | undefined => {
  switch (format) {
    case 'date-time':
      return _parseRfc3339DateTimeWithOffset(text)
    case 'http-date':
      return _parseRfc7231DateTime(text)
    case 'epoch-seconds':
      return _parseEpochTimestamp(text)
  }
}

const writeTime = (time: Date, format: TimestampFormat): string => {
  switch (format) {
    case 'date-time':
      return time.toISOString().replace('.000Z', 'Z')
    case 'http-date':
      return dateToUtcString(time)
    case 'epoch-seconds':
      return String(time.getTime() / 1000)
  }
}

const nonFinite = new Set(['NaN', 'Infinity', '-Infinity'])

/**
 * Reads the value of a simple schema from text (XML text, form field, header, label, query). Blobs are base64.
 *
 * @throws MalformedRequest of kind `value`
 */
export const readText = (schema: NormalizedSchema, text: string, timestamps: TimestampFormat): unknown => {
  const refuse = (expected: string, cause?: unknown) =>
    new MalformedRequest('value', schema.getMemberName(), `${JSON.stringify(text)} is no ${expected}`, {
      cause,
    })
  if (schema.isStringSchema()) return text
  if (schema.isBooleanSchema()) {
    const word = text.trim().toLowerCase()
    if (word === 'true' || word === '1') return true
    if (word === 'false' || word === '0') return false
    throw refuse('boolean')
  }
  if (schema.isNumericSchema()) {
    const value = Number(text)
    if (text.trim() === '' || (Number.isNaN(value) && !nonFinite.has(text))) throw refuse('number')
    return value
  }
  try {
    if (schema.isTimestampSchema()) {
      const time = parseTime(text.trim(), timestampFormat(schema, timestamps))
      if (time) return time
    }
    if (schema.isBlobSchema()) return Uint8Array.from(Buffer.from(text, 'base64'))
    if (schema.isBigIntegerSchema()) return BigInt(text)
    if (schema.isBigDecimalSchema()) return new NumericValue(text, 'bigDecimal')
  } catch (cause) {
    throw refuse(schema.isTimestampSchema() ? 'timestamp' : 'number', cause)
  }
  throw refuse(schema.isTimestampSchema() ? 'timestamp' : 'simple value')
}

/** Writes a simple value as text: the inverse of `readText`. */
export const writeText = (schema: NormalizedSchema, value: unknown, timestamps: TimestampFormat): string => {
  if (value instanceof Date) return writeTime(value, timestampFormat(schema, timestamps))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof NumericValue) return value.string
  return String(value)
}
