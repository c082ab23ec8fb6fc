import { NormalizedSchema, SCHEMA } from '@smithy/core/schema'
import { describe, expect, test } from 'vitest'
import { MalformedRequest } from './malformed.ts'
import { readText, type TimestampFormat, writeText } from './text.ts'

/** Returns a member of the given simple schema. */
const member = (schema: number): NormalizedSchema =>
  NormalizedSchema.of([3, 'test', 'Holder', 0, ['value'], [schema]]).getMemberSchema('value')

const noon = new Date('2026-01-01T12:00:00Z')

describe('values sent as text', () => {
  test.each<[schema: number, text: string, format: TimestampFormat, value: unknown]>([
    [SCHEMA.BOOLEAN, 'true', 'date-time', true],
    [SCHEMA.BOOLEAN, 'False', 'date-time', false],
    [SCHEMA.BOOLEAN, '1', 'date-time', true],
    [SCHEMA.BOOLEAN, '0', 'date-time', false],
    [SCHEMA.NUMERIC, '-1.5e3', 'date-time', -1500],
    [SCHEMA.NUMERIC, 'Infinity', 'date-time', Number.POSITIVE_INFINITY],
    [SCHEMA.BLOB, 'AQID', 'date-time', Uint8Array.of(1, 2, 3)],
    [SCHEMA.BIG_INTEGER, '12345678901234567890', 'date-time', 12345678901234567890n],
    [SCHEMA.TIMESTAMP_DEFAULT, '2026-01-01T12:00:00Z', 'date-time', noon],
    [SCHEMA.TIMESTAMP_DEFAULT, '2026-01-01T13:00:00+01:00', 'date-time', noon],
    [SCHEMA.TIMESTAMP_DEFAULT, 'Thu, 01 Jan 2026 12:00:00 GMT', 'http-date', noon],
    [SCHEMA.TIMESTAMP_EPOCH_SECONDS, '1767268800', 'date-time', noon],
    [SCHEMA.TIMESTAMP_HTTP_DATE, 'Thu, 01 Jan 2026 12:00:00 GMT', 'date-time', noon],
  ])('a value of schema %i is read: %s', (schema, text, format, value) => {
    expect(readText(member(schema), text, format)).toEqual(value)
  })

  test.each([
    [SCHEMA.BOOLEAN, 'yes'],
    [SCHEMA.NUMERIC, ''],
    [SCHEMA.NUMERIC, '12 apples'],
    [SCHEMA.TIMESTAMP_DEFAULT, 'yesterday'],
    [SCHEMA.BIG_INTEGER, '1.5'],
  ])('a value of schema %i is refused: %s', (schema, text) => {
    expect(() => readText(member(schema), text, 'date-time')).toThrow(MalformedRequest)
  })

  test('the format of the schema takes precedence over that of the place on the wire', () => {
    expect(writeText(member(SCHEMA.TIMESTAMP_DEFAULT), noon, 'date-time')).toBe('2026-01-01T12:00:00Z')
    expect(writeText(member(SCHEMA.TIMESTAMP_EPOCH_SECONDS), noon, 'date-time')).toBe('1767268800')
  })
})
