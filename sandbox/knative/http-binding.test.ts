import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BrokeredEvent, readMessage, writeMessage } from './http-binding.ts'

/** Values that the CloudEvents type system allows (no control characters, no lone surrogates), half of them plain. */
const value = fc.oneof(
  fc.stringMatching(/^[!#$&-~]+$/),
  fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => !/\p{Cc}/u.test(text) && text.isWellFormed()),
)
const time = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T02:00:00.123456+02:00',
)
const name = fc.oneof(
  fc.stringMatching(/^x[a-z0-9]{0,10}$/),
  fc.constantFrom('constructor', 'schemaurl', 'emit', 'validate', 'dataschema', 'datacontentencoding'),
)
const json = fc
  .json()
  .map(text => JSON.stringify(JSON.parse(text)))
  // In the JSON event format null equals no data.
  .filter(text => text !== 'null')
const content = fc.oneof(
  fc.record({ type: fc.constantFrom('application/json', 'text/json; charset=utf-8'), text: json }),
  fc.record({ type: fc.constantFrom('text/plain', 'image/png'), text: fc.string({ minLength: 1 }) }),
)

const anyEvent = fc
  .record({
    core: fc.record({ id: value, source: value, type: value }),
    optional: fc.record({ subject: value, time }, { requiredKeys: [] }),
    extensions: fc.dictionary(name, value),
    content,
  })
  .map(
    ({ core, optional, extensions, content: { type, text } }): BrokeredEvent => ({
      attributes: { ...extensions, ...core, ...optional, specversion: '1.0', datacontenttype: type },
      body: Buffer.from(text),
    }),
  )

test.each(['binary', 'json'] as const)(
  'a message is the received event, whatever its content, in %s',
  format => {
    fc.assert(
      fc.property(anyEvent, event => {
        const read = readMessage(writeMessage(event, format))
        expect({ attributes: { ...read.attributes }, body: String(read.body) }).toEqual({
          attributes: event.attributes,
          body: String(event.body),
        })
      }),
    )
  },
)

test('a message has no invented time or content type', () => {
  const event = { attributes: { specversion: '1.0', id: '1', source: '/s', type: 't' } }
  for (const format of ['binary', 'json'] as const) {
    expect({ ...readMessage(writeMessage(event, format)).attributes }).toEqual(event.attributes)
  }
})

test('null is absent in the JSON format', () => {
  const attributes = { specversion: '1.0', id: '1', source: '/s', type: 't' }
  const body = Buffer.from(
    JSON.stringify({ ...attributes, subject: null, datacontenttype: null, data: { a: 1 } }),
  )
  const read = readMessage({ headers: { 'content-type': 'application/cloudevents+json' }, body })
  expect({ ...read.attributes }).toEqual({ ...attributes, datacontenttype: 'application/json' })
  expect(String(read.body)).toBe('{"a":1}')
})

test.each([
  ['no id', { 'ce-id': undefined }, 'id: missing'],
  ['a repeated header', { 'ce-id': ['1', '2'] }, 'id: given more than once'],
  ['a batch', { 'content-type': 'application/cloudevents-batch+json' }, 'unsupported event format'],
])('a message with %s is refused', (_, change, problem) => {
  const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/s', 'ce-type': 't', ...change }
  expect(() => readMessage({ headers, body: new Uint8Array() })).toThrow(problem)
})
