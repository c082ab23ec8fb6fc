import { describe, expect, test } from 'vitest'
import { attributeLimits, cloudEventLimits } from './attribute-limits.ts'
import { MalformedEventError, parseEvent, parseEventJson } from './read-event.ts'
import { buildEvent, eventJson, eventMessage } from './write-event.ts'

const event = buildEvent({
  object: {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'DNSRecord',
    metadata: { name: 'api', namespace: 'shoot--foo--bar', uid: 'u-1', generation: 1 },
    spec: { type: 'aws-route53' },
  },
  kind: 'DNSRecord',
  operation: 'reconcile',
  cause: 'created',
  reason: 'created',
  attempt: 0,
  source: '/seeds/s',
  now: 0,
})

describe('an attribute that is too long', () => {
  test.each(Object.entries(attributeLimits))(
    'the attribute is refused: %s over %s characters',
    (name, most) => {
      const json = eventJson({ ...event, traceparent: 'x' })
      const longer = { ...json, [name]: 'A'.repeat(most + 1) }
      expect(() => parseEventJson(longer)).toThrow(MalformedEventError)
      expect(() => parseEventJson(longer)).toThrow(new RegExp(`^${name}: `))
    },
  )

  test.each(['id', 'reason', 'traceparent'] as const)(
    'an attribute is accepted up to its limit: %s',
    name => {
      const longest = { ...event, [name]: 'x'.repeat(attributeLimits[name]) }
      expect(parseEventJson(eventJson(longest))).toMatchObject({ [name]: longest[name] })
    },
  )

  test.each(['binary', 'structured'] as const)(
    'the attribute is refused in the mode %s: an id of 260 KB',
    mode => {
      const { headers, body } = eventMessage({ ...event, id: 'x'.repeat(260_000) }, mode)
      expect(() => parseEvent(headers, body)).toThrow('id: longer than')
    },
  )

  test.each<[string, Record<string, string>, string]>([
    [
      'a value of another system',
      { foreign: 'x'.repeat(cloudEventLimits.value + 1) },
      'foreign: longer than',
    ],
    ['a name', { ['n'.repeat(cloudEventLimits.name + 1)]: 'x' }, 'an attribute name may have at most'],
    [
      'the list',
      Object.fromEntries(
        Array.from({ length: cloudEventLimits.attributes }, (_, index) => [`a${index}`, '']),
      ),
      'more than',
    ],
  ])('the attribute is refused in any CloudEvent: %s', (_, more, message) => {
    expect(() => parseEventJson({ ...eventJson(event), ...more })).toThrow(message)
  })

  test('an event with the attribute cannot be built', () => {
    const object = { ...event.data, spec: { type: 'x'.repeat(254) } } as NonNullable<typeof event.data>
    const input = { object, kind: 'DNSRecord', operation: 'reconcile', cause: 'c', reason: 'r' } as const
    expect(() => buildEvent({ ...input, attempt: 0, source: '/s', now: 0 })).toThrow(
      'spec.type exceeds the limit of 253 characters in an event',
    )
  })
})
