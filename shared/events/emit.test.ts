import { describe, expect, test } from 'vitest'
import type { ExtensionEvent } from './events.ts'
import { emit, type SendOutcome, type SendResult, sendResultOf } from './send.ts'

describe('the result of a send', () => {
  test.each<[string, SendOutcome, Partial<SendResult>]>([
    ['a 2xx is accepted', { kind: 'accepted' }, { kind: 'accepted' }],
    ['an outage is retried', { kind: 'retry', reason: 'refused' }, { kind: 'retry', afterMs: 0 }],
    [
      'a Retry-After is applied',
      { kind: 'retry', reason: '429', afterMs: 7000 },
      { kind: 'retry', afterMs: 7000 },
    ],
    ...[3_600_000, 31_536_000_000, Number.POSITIVE_INFINITY].map(
      (afterMs): [string, SendOutcome, Partial<SendResult>] => [
        `a Retry-After of ${afterMs} ms counts for a minute`,
        { kind: 'retry', reason: '503', afterMs },
        { kind: 'retry', afterMs: 60_000 },
      ],
    ),
    ['silence is no outage', { kind: 'unanswered', reason: 'no answer' }, { kind: 'unanswered' }],
  ])('%s', (_, outcome, sendResult) => expect(sendResultOf(outcome)).toMatchObject(sendResult))

  test.each([302, 401, 403, 404, 405, 407, 410, 421])(
    'it retries %i slowly, because the answer says nothing about the event',
    status => {
      const sendResult = sendResultOf({ kind: 'rejected', status, reason: `the sink answered ${status}` })
      expect(sendResult).toEqual({
        kind: 'retry',
        status,
        afterMs: 15_000,
        reason: `the sink answered ${status}`,
      })
    },
  )

  test.each([400, 406, 409, 413, 415, 422])('it parks an event that is answered %i', status => {
    expect(sendResultOf({ kind: 'rejected', status, reason: 'no' })).toEqual({
      kind: 'park',
      status,
      reason: 'no',
    })
  })
})

test('a sender that throws counts as failed', async () => {
  const event = { id: 'e1' } as ExtensionEvent
  const send = () => Promise.reject(new Error('aborted'))
  expect(await emit(send, event, AbortSignal.timeout(1_000))).toEqual({
    kind: 'retry',
    reason: 'aborted',
  })
})
