import { expect, test } from 'vitest'
import type { BridgeEvent } from '../bridge-event.ts'
import { logObserver } from './log-observer.ts'

const logged = (event: BridgeEvent, debugs = true) => {
  const lines: unknown[] = []
  const line = (level: string) => (message: string, fields?: object) => lines.push([level, message, fields])
  const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  logObserver(log, debugs).event?.(event)
  return lines
}

const about = {
  kind: 'DNSRecord',
  object: 'garden/x',
  id: 'id',
  operation: 'reconcile',
  reason: 'annotation',
  attempt: 0,
} as const

test.each<[string, number, readonly string[], string]>([
  ['that no function serves', 0, ['other'], 'warn'],
  ['of an unknown type, after its first event', 1, ['other'], 'warn'],
  ['of an unknown type, after its second event', 2, ['other'], 'debug'],
  ['of a busy function, after its second event', 2, ['own'], 'debug'],
  ['of a busy function, after its fourth event', 4, ['own'], 'warn'],
  ['of a busy function, after its fifth event', 5, ['own'], 'debug'],
])('an unclaimed object %s has a line of its level', (_, times, known, level) => {
  const fields = { ...about, times, known, provider: 'own', apiVersion: 'v1', uid: 'u' }
  expect(logged({ type: 'unclaimed', ...fields })).toEqual([[level, 'object not claimed', fields]])
})

test('a refused event has advice, unless it was never sent', () => {
  const parked = (status: number) => logged({ type: 'parked', status, why: 'no', uid: 'u', ...about })
  expect(parked(413)).toMatchObject([['warn', 'event refused', { advice: expect.stringMatching(/1 MiB/) }]])
  expect(parked(0)).toEqual([['warn', 'event refused', { status: 0, why: 'no', uid: 'u', ...about }]])
})

test('a line of level debug is skipped if the log writes none, but not one that is raised to a warning', () => {
  const unclaimed = { ...about, known: ['own'], provider: 'own', apiVersion: 'v1', uid: 'u' }
  expect(logged({ type: 'unclaimed', times: 1, ...unclaimed }, false)).toEqual([])
  expect(logged({ type: 'unclaimed', times: 4, ...unclaimed }, false)).toHaveLength(1)
})
