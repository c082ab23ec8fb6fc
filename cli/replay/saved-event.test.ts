import { HTTP } from 'cloudevents'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventJson } from '../../shared/events/events.ts'
import { sampleEvent } from '../../shared/events/testing/sample-event.ts'
import { readSavedEvent } from './saved-event.ts'

describe('a saved event', () => {
  test('it is equal to the original after it is read', () => {
    expect(readSavedEvent(eventJson(sampleEvent))).toEqual(sampleEvent)
  })

  test('the SDK can read it', () => {
    const headers = { 'content-type': 'application/cloudevents+json' }
    expect(HTTP.toEvent({ headers, body: JSON.stringify(eventJson(sampleEvent)) })).toMatchObject({
      id: sampleEvent.id,
      subject: sampleEvent.subject,
      objectuid: sampleEvent.objectuid,
      data: sampleEvent.data,
    })
  })

  test.each(['id', 'time', 'specversion'])(
    'without %s it is refused, though the SDK generates a value',
    attribute => {
      expect(() => readSavedEvent({ ...eventJson(sampleEvent), [attribute]: undefined })).toThrow(
        `${attribute}: missing`,
      )
    },
  )

  test('with a source that is no URI reference, it is refused, as in the SDK', () => {
    expect(() => readSavedEvent({ ...eventJson(sampleEvent), source: 'a b' })).toThrow(
      'the CloudEvents SDK rejects it: source: must match format "uri-reference"',
    )
  })

  test('with a field of version 0.3, it is refused, as in the SDK', () => {
    expect(() => readSavedEvent({ ...eventJson(sampleEvent), schemaurl: 'x' })).toThrow(
      'the CloudEvents SDK rejects it: cannot set schemaurl',
    )
  })

  test('no input makes it fail in another way', () => {
    const some = fc.dictionary(
      fc.constantFrom(...Object.keys(eventJson(sampleEvent)), 'schemaurl', 'x'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(some, change => {
        try {
          readSavedEvent({ ...eventJson(sampleEvent), ...change })
        } catch (error) {
          expect(error).toHaveProperty('name', 'MalformedEventError')
        }
      }),
    )
  })
})
