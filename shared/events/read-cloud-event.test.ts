import { HTTP, CloudEvent as SdkEvent } from 'cloudevents'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type HttpHeaders, readCloudEvent, readCloudEventJson } from './read-event.ts'
import { encodeHeader } from './write-event.ts'

const time = '2026-01-01T00:00:00.000Z'
const binary = (change: HttpHeaders = {}): HttpHeaders => ({
  'ce-specversion': '1.0',
  'ce-id': '1',
  'ce-source': '/s',
  'ce-type': 't',
  'ce-time': time,
  'content-type': 'application/json',
  ...change,
})
const structuredType = { 'content-type': 'application/cloudevents+json' }
const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const minimal = { specversion: '1.0', id: '1', source: '/s', type: 't', time }

/** Attribute values in the type system of CloudEvents: no control characters, no lone surrogates. */
const attributeValue = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter(text => !/\p{Cc}/u.test(text) && text.isWellFormed())
const anyAttributes = fc
  .tuple(
    fc.record({ id: attributeValue, source: attributeValue, type: attributeValue, subject: attributeValue }),
    fc.dictionary(
      fc.oneof(
        fc.stringMatching(/^x[a-z0-9]{0,10}$/),
        fc.constantFrom('constructor', 'emit', 'validate', 'dataschema'),
      ),
      attributeValue,
    ),
  )
  .map(([core, extensions]) => ({ ...minimal, ...extensions, ...core }))
/** In JSON, null is no data. */
const anyData = fc.jsonValue().filter(value => value !== null)
const plainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('reading a CloudEvent', () => {
  test('an event in binary mode has its attributes and its data', () => {
    fc.assert(
      fc.property(anyAttributes, anyData, (attributes, data) => {
        const headers = Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeHeader(value)]),
        )
        const read = readCloudEvent(
          { ...headers, 'content-type': 'application/json' },
          Buffer.from(JSON.stringify(data)),
        )
        expect({ ...read.attributes }).toEqual(attributes)
        expect(read.data).toEqual(plainJson(data))
      }),
    )
  })

  test('an event in structured mode has its attributes and its data', () => {
    fc.assert(
      fc.property(anyAttributes, anyData, (attributes, data) => {
        const read = readCloudEvent(structuredType, bytes({ ...attributes, data }))
        expect({ ...read.attributes }).toEqual(attributes)
        expect(read.data).toEqual(plainJson(data))
      }),
    )
  })

  test('an event of an author who uses the SDK has its attributes and its data', () => {
    const event = new SdkEvent({ ...minimal, subject: 'a/b', extra: 'x', data: { a: [1] } }, true)
    for (const message of [HTTP.binary(event), HTTP.structured(event)]) {
      const headers = Object.fromEntries(
        Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      )
      const { attributes, data } = readCloudEvent(headers, bytes(String(message.body)))
      expect(attributes).toMatchObject({ ...minimal, subject: 'a/b', extra: 'x' })
      expect(data).toEqual({ a: [1] })
    }
  })

  test.each([
    ['percent-encoded UTF-8', 'Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['a quoted string', '"a \\"b\\" c"', 'a "b" c'],
    ['a bare percent sign', '100%', '100%'],
  ])('%s in a header is decoded', (_, header, value) => {
    expect(readCloudEvent(binary({ 'ce-subject': header }), bytes({})).attributes.subject).toBe(value)
  })

  test('integers and booleans of the JSON format are read as text, and null as absent', () => {
    const { attributes, data } = readCloudEventJson({
      ...minimal,
      attempt: 3,
      flag: true,
      subject: null,
      data: null,
    })
    expect({ ...attributes }).toEqual({ ...minimal, attempt: '3', flag: 'true' })
    expect(data).toBeUndefined()
  })

  test('null is absent for the content type and for either form of the data', () => {
    const base64 = Buffer.from('{"a":1}').toString('base64')
    expect(readCloudEventJson({ ...minimal, datacontenttype: null, data: { a: 1 } }).data).toEqual({ a: 1 })
    expect(readCloudEventJson({ ...minimal, data: null, data_base64: base64 }).data).toEqual({ a: 1 })
    expect(readCloudEventJson({ ...minimal, data: { a: 1 }, data_base64: null }).data).toEqual({ a: 1 })
  })

  test('JSON in base64 is read', () => {
    const base64 = Buffer.from('{"a":1}').toString('base64')
    expect(readCloudEventJson({ ...minimal, data_base64: base64 }).data).toEqual({ a: 1 })
  })

  test('the global JSON remains, whatever the environment selects for the SDK', () => {
    const before = JSON
    vi.stubEnv('CE_USE_BIG_INT', 'true')
    readCloudEvent(structuredType, bytes({ ...minimal, data: {} }))
    readCloudEvent(binary(), bytes({}))
    const after = JSON
    // biome-ignore lint/suspicious/noGlobalAssign: a failure must not affect the other tests.
    JSON = before
    vi.unstubAllEnvs()
    expect(after).toBe(before)
  })

  test('a parameter of the content type is ignored', () => {
    const headers = { 'content-type': 'application/cloudevents+json; x=y' }
    expect(readCloudEvent(headers, bytes(minimal)).attributes).toMatchObject(minimal)
  })

  test.each<[string, HttpHeaders, unknown, string]>([
    ['no event at all', { 'content-type': 'application/json' }, {}, 'neither ce- headers nor'],
    [
      'a batch',
      { 'content-type': 'application/cloudevents-batch+json' },
      [],
      'batches of events are not supported',
    ],
    [
      'another format',
      { 'content-type': 'application/cloudevents+avro' },
      '',
      'unknown event format application/cloudevents+avro',
    ],
    ['no id', binary({ 'ce-id': undefined }), {}, 'id: missing'],
    ['an empty id', binary({ 'ce-id': '' }), {}, 'id: empty'],
    ['no source', binary({ 'ce-source': undefined }), {}, 'source: missing'],
    ['no type', binary({ 'ce-type': undefined }), {}, 'type: missing'],
    ['version 0.3', binary({ 'ce-specversion': '0.3' }), {}, 'specversion: expected 1.0'],
    ['no version', binary({ 'ce-specversion': undefined }), {}, 'specversion: missing'],
    ['a bad name', binary({ 'ce-foo_bar': 'x' }), {}, 'foo_bar: an attribute name may contain only'],
    ['no time', binary({ 'ce-time': undefined }), {}, 'time: missing'],
    ['a number as id', structuredType, { ...minimal, id: 0 }, 'id: expected a string'],
    ['a boolean as source', structuredType, { ...minimal, source: false }, 'source: expected a string'],
    ['a bad time', binary({ 'ce-time': 'yesterday' }), {}, 'time: not an RFC 3339 time'],
    ['a day that is none', binary({ 'ce-time': '2026-13-01T00:00:00Z' }), {}, 'time: not an RFC 3339 time'],
    ['an encoded line break', binary({ 'ce-subject': 'a%0Ab' }), {}, 'subject: contains a control character'],
    ['a repeated header', binary({ 'ce-id': ['1', '2'] }), {}, 'id: given more than once'],
    ['broken JSON', structuredType, '{"id":', 'not valid JSON'],
    ['broken UTF-8', structuredType, Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 'not a JSON object'],
    ['an array', structuredType, [], 'not a JSON object'],
    ['an attribute that is an object', structuredType, { ...minimal, extra: {} }, 'extra: expected a string'],
    [
      'an attribute called __proto__',
      structuredType,
      '{"specversion":"1.0","id":"1","source":"/s","type":"t","time":"2026-01-01T00:00:00Z","__proto__":{}}',
      '__proto__: an attribute name may contain',
    ],
    ['a fraction', structuredType, { ...minimal, extra: 1.5 }, 'extra: expected a string'],
    [
      'data twice',
      structuredType,
      { ...minimal, data: 1, data_base64: 'aGk=' },
      'data_base64: must not be combined',
    ],
    ['data that is not base64', structuredType, { ...minimal, data_base64: '!' }, 'data_base64: not base64'],
    [
      'an attribute of version 0.3',
      binary({ 'ce-schemaurl': 'x' }),
      {},
      'the CloudEvents SDK rejects it: cannot set schemaurl',
    ],
    ['data other than JSON', binary({ 'content-type': 'text/xml' }), '<a/>', 'expected application/json'],
  ])('%s is refused with its location', (_, headers, body, message) => {
    expect(() => readCloudEvent(headers, bytes(body))).toThrow(message)
  })

  test('octets that are not UTF-8 are refused', () => {
    expect(() => readCloudEvent(structuredType, new Uint8Array([0x22, 0xff, 0x22]))).toThrow(
      'not valid JSON in UTF-8',
    )
  })

  test('no input makes it fail in another way', () => {
    const header = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 2 }))
    const headers = fc.oneof(
      fc.dictionary(
        fc.oneof(fc.constantFrom('ce-id', 'ce-time', 'content-type', '__proto__'), fc.string()),
        header,
      ),
      fc.constant(structuredType),
      header.map(value => binary({ 'ce-subject': value })),
    )
    fc.assert(
      fc.property(headers, fc.oneof(fc.uint8Array(), fc.json().map(bytes)), (given, body) => {
        try {
          readCloudEvent(given, body)
        } catch (error) {
          expect(error).toHaveProperty('name', 'MalformedEventError')
        }
      }),
    )
  })
})
