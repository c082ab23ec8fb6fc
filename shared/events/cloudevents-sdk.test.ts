import { HTTP, type Message, CloudEvent as SdkEvent } from 'cloudevents'
import { describe, expect, test } from 'vitest'

const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/s', 'ce-type': 't' }
const json = { 'content-type': 'application/json' }
const structured = { 'content-type': 'application/cloudevents+json' }
const minimal = { specversion: '1.0', id: '1', source: '/s', type: 't' }
const read = (message: Message) => HTTP.toEvent(message) as SdkEvent<unknown>

/** Why `cloud-event.ts` binds events of ours. What a later version does as the specification says fails here. */
describe('the CloudEvents SDK does otherwise than the HTTP binding says', () => {
  test('makes up an id and a time', () => {
    const { id, time } = read({ headers: structured, body: JSON.stringify({ ...minimal, id: undefined }) })
    expect([typeof id, typeof time]).toEqual(['string', 'string'])
  })

  test('takes an event without source and type', () => {
    expect(
      read({ headers: { 'ce-specversion': '1.0', 'ce-id': '1', ...json }, body: '{}' }).source,
    ).toBeUndefined()
  })

  test('takes an event of a version that is none', () => {
    expect(read({ headers: { ...headers, ...json, 'ce-specversion': '9' }, body: '{}' }).specversion).toBe(
      '9',
    )
  })

  test('decodes no header', () => {
    expect(read({ headers: { ...headers, ...json, 'ce-subject': 'a%20b' }, body: '{}' }).subject).toBe(
      'a%20b',
    )
  })

  test('encodes no header', () => {
    expect(HTTP.binary(new SdkEvent({ ...minimal, subject: 'a €' })).headers['ce-subject']).toBe('a €')
  })

  test('refuses a structured event whose content type has another parameter', () => {
    const message = {
      headers: { 'content-type': 'application/cloudevents+json; x=y' },
      body: JSON.stringify(minimal),
    }
    expect(() => read(message)).toThrow('invalid content type')
  })

  test('loses data that counts as false', () => {
    expect(read({ headers: structured, body: JSON.stringify({ ...minimal, data: 0 }) }).data).toBeUndefined()
  })

  test('gives binary data as numbers of 32 bits', () => {
    const { data } = read({ headers: structured, body: JSON.stringify({ ...minimal, data_base64: 'aGk=' }) })
    expect(data).toBeInstanceOf(Uint32Array)
  })

  test('writes a time with three digits of a second, whatever it was', () => {
    const event = new SdkEvent({ ...minimal, time: '2026-01-01T02:00:00.123456+02:00' })
    expect(HTTP.binary(event).headers['ce-time']).toBe('2026-01-01T00:00:00.123Z')
  })

  test('fails on an extension that every object has', () => {
    expect(() => HTTP.binary(new SdkEvent({ ...minimal, constructor: 'x' }))).toThrow(TypeError)
  })
})
