import { HTTP, CloudEvent as SdkEvent } from 'cloudevents'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CloudEvent, decodeHttp, decodeObject, type HttpHeaders } from './read-event.ts'
import { encodeBinary, encodeStructured } from './write-event.ts'

const binary = (change: HttpHeaders = {}): HttpHeaders => ({
  'ce-specversion': '1.0',
  'ce-id': '1',
  'ce-source': '/s',
  'ce-type': 't',
  'content-type': 'application/json',
  ...change,
})
const structuredType = { 'content-type': 'application/cloudevents+json' }
const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const minimal = { specversion: '1.0', id: '1', source: '/s', type: 't' }

/** Attribute values in the type system of CloudEvents: no control characters, no lone surrogates. */
const attributeValue = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter(text => !/\p{Cc}/u.test(text) && text.isWellFormed())
const anyEvent: fc.Arbitrary<CloudEvent> = fc.record({
  attributes: fc
    .tuple(
      fc.record({
        id: attributeValue,
        source: attributeValue,
        type: attributeValue,
        subject: attributeValue,
      }),
      fc.dictionary(fc.stringMatching(/^x[a-z0-9]{0,10}$/), attributeValue),
    )
    .map(([core, extensions]) => ({
      specversion: '1.0',
      datacontenttype: 'application/json',
      ...extensions,
      ...core,
    })),
  body: fc.json().map(json => new Uint8Array(Buffer.from(JSON.stringify(JSON.parse(json))))),
})

const comparable = (event: CloudEvent): unknown => ({
  attributes: { ...event.attributes },
  body: event.body && Buffer.from(event.body).toString(),
})

describe('the HTTP binding', () => {
  test('every event in binary mode is read as it was written', () => {
    fc.assert(
      fc.property(anyEvent, event => {
        const { headers, body } = encodeBinary(event)
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]*$/)
        expect(comparable(decodeHttp(headers, body))).toEqual(comparable(event))
      }),
    )
  })

  test('every event in structured mode is read as it was written', () => {
    fc.assert(
      fc.property(anyEvent, event => {
        const { headers, body } = encodeStructured(event)
        // In the JSON event format, JSON null as data means no data.
        fc.pre(Buffer.from(event.body ?? []).toString() !== 'null')
        expect(comparable(decodeHttp(headers, body))).toEqual(comparable(event))
      }),
    )
  })

  test('events of the CloudEvents SDK can be read', () => {
    const event = new SdkEvent({ ...minimal, subject: 'a/b', extra: 'x', data: { a: [1] } }, true)
    for (const message of [HTTP.binary(event), HTTP.structured(event)]) {
      const headers = Object.fromEntries(
        Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      )
      const read = decodeHttp(headers, bytes(String(message.body)))
      expect(read.attributes).toMatchObject({ ...minimal, subject: 'a/b', extra: 'x' })
      expect(JSON.parse(Buffer.from(read.body ?? []).toString())).toEqual({ a: [1] })
    }
  })

  test('the CloudEvents SDK can read the written events', () => {
    const event: CloudEvent = {
      attributes: { ...minimal, subject: 'a/b', extra: 'x', datacontenttype: 'application/json' },
      body: bytes({ a: [1] }),
    }
    const fromBinary = encodeBinary(event)
    expect(
      HTTP.toEvent({ headers: { ...fromBinary.headers }, body: Buffer.from(fromBinary.body).toString() }),
    ).toMatchObject({ id: '1', subject: 'a/b', extra: 'x', data: { a: [1] } })
    const { body } = encodeStructured(event)
    expect(
      HTTP.toEvent({ headers: { ...structuredType }, body: Buffer.from(body).toString() }),
    ).toMatchObject({
      id: '1',
      subject: 'a/b',
      extra: 'x',
      data: { a: [1] },
    })
  })

  test.each([
    ['percent-encoded UTF-8', 'Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['a quoted string', '"a \\"b\\" c"', 'a "b" c'],
    ['a bare percent sign', '100%', '100%'],
  ])('%s in a header is decoded', (_, header, value) => {
    expect(decodeHttp(binary({ 'ce-subject': header }), bytes({})).attributes.subject).toBe(value)
  })

  test('integers and booleans of the JSON format are read as text, and null as absent', () => {
    const { attributes, body } = decodeObject({
      ...minimal,
      attempt: 3,
      flag: true,
      subject: null,
      data: null,
    })
    expect({ ...attributes }).toEqual({ ...minimal, attempt: '3', flag: 'true' })
    expect(body).toBeUndefined()
  })

  test('data that is not JSON is unchanged', () => {
    const event: CloudEvent = {
      attributes: { ...minimal, datacontenttype: 'image/png' },
      body: new Uint8Array([0, 255, 10]),
    }
    for (const message of [encodeBinary(event), encodeStructured(event)]) {
      expect([...(decodeHttp(message.headers, message.body).body ?? [])]).toEqual([0, 255, 10])
    }
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
    ['a bad time', binary({ 'ce-time': 'yesterday' }), {}, 'time: not an RFC 3339 time'],
    ['a day that is none', binary({ 'ce-time': '2026-13-01T00:00:00Z' }), {}, 'time: not an RFC 3339 time'],
    ['an encoded line break', binary({ 'ce-subject': 'a%0Ab' }), {}, 'subject: contains a control character'],
    ['a repeated header', binary({ 'ce-id': ['1', '2'] }), {}, 'id: given more than once'],
    ['broken JSON', structuredType, '{"id":', 'not valid JSON'],
    ['broken UTF-8', structuredType, Buffer.from([0x22, 0xff, 0x22]).toString('latin1'), 'not a JSON object'],
    ['an array', structuredType, [], 'not a JSON object'],
    ['an attribute that is an object', structuredType, { ...minimal, extra: {} }, 'extra: expected a string'],
    ['a fraction', structuredType, { ...minimal, extra: 1.5 }, 'extra: expected a string'],
    [
      'data twice',
      structuredType,
      { ...minimal, data: 1, data_base64: 'aGk=' },
      'data_base64: must not be combined',
    ],
    ['data that is not base64', structuredType, { ...minimal, data_base64: '!' }, 'data_base64: not base64'],
  ])('%s is refused with its location', (_, headers, body, message) => {
    expect(() => decodeHttp(headers, bytes(body))).toThrow(message)
  })

  test('octets that are not UTF-8 are refused', () => {
    expect(() => decodeHttp(structuredType, new Uint8Array([0x22, 0xff, 0x22]))).toThrow(
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
          decodeHttp(given, body)
        } catch (error) {
          expect(error).toHaveProperty('name', 'MalformedEventError')
        }
      }),
    )
  })
})
