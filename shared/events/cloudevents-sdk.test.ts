import { HTTP, type Message, CloudEvent as SdkEvent } from 'cloudevents'
import { describe, expect, test } from 'vitest'

const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/s', 'ce-type': 't' }
const json = { 'content-type': 'application/json' }
const structured = { 'content-type': 'application/cloudevents+json' }
const minimal = { specversion: '1.0', id: '1', source: '/s', type: 't' }
const read = (message: Message) => HTTP.toEvent(message) as SdkEvent<unknown>

/**
 * The reasons for the checks before and after the SDK in `read-event.ts` and `write-event.ts`. A test fails when a
 * later SDK version follows the specification; then its check can go.
 */
describe('the CloudEvents SDK deviates from the HTTP binding', () => {
  test('the SDK invents an id and a time', () => {
    const { id, time } = read({ headers: structured, body: JSON.stringify({ ...minimal, id: undefined }) })
    expect([typeof id, typeof time]).toEqual(['string', 'string'])
  })

  test('the SDK accepts an event without source and type', () => {
    expect(
      read({ headers: { 'ce-specversion': '1.0', 'ce-id': '1', ...json }, body: '{}' }).source,
    ).toBeUndefined()
  })

  test('the SDK accepts an event of an invalid version', () => {
    expect(read({ headers: { ...headers, ...json, 'ce-specversion': '9' }, body: '{}' }).specversion).toBe(
      '9',
    )
  })

  test('the SDK decodes no header', () => {
    expect(read({ headers: { ...headers, ...json, 'ce-subject': 'a%20b' }, body: '{}' }).subject).toBe(
      'a%20b',
    )
  })

  test('the SDK encodes no header', () => {
    expect(HTTP.binary(new SdkEvent({ ...minimal, subject: 'a €' })).headers['ce-subject']).toBe('a €')
  })

  test('the SDK refuses a structured event if its content type has another parameter', () => {
    const message = {
      headers: { 'content-type': 'application/cloudevents+json; x=y' },
      body: JSON.stringify(minimal),
    }
    expect(() => read(message)).toThrow('invalid content type')
  })

  test('the SDK loses falsy data', () => {
    expect(read({ headers: structured, body: JSON.stringify({ ...minimal, data: 0 }) }).data).toBeUndefined()
  })

  test('the SDK returns binary data as numbers of 32 bits', () => {
    const { data } = read({ headers: structured, body: JSON.stringify({ ...minimal, data_base64: 'aGk=' }) })
    expect(data).toBeInstanceOf(Uint32Array)
  })

  test('the SDK writes a time with exactly three digits of a second', () => {
    const event = new SdkEvent({ ...minimal, time: '2026-01-01T02:00:00.123456+02:00' })
    expect(HTTP.binary(event).headers['ce-time']).toBe('2026-01-01T00:00:00.123Z')
  })

  test('the SDK fails on an extension that has the name of an object method', () => {
    expect(() => HTTP.binary(new SdkEvent({ ...minimal, constructor: 'x' }))).toThrow(TypeError)
  })
})
