import { describe, expect, test } from 'vitest'
import { harmIn, planted } from '../../test/terminal/planted.ts'
import type { WaitingRow } from '../core/core.ts'
import { dumpText } from './dump.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const rows: readonly WaitingRow[] = [
  {
    kind: 'Bastion',
    object: 'shoot--a/b',
    state: 'parked',
    why: 'the sink answered 400',
    operation: 'delete',
    reason: 'deletion',
    attempt: 0,
    id: 'id-2',
    since: now - 5_000,
    at: undefined,
    lastError: 'the sink answered 400',
  },
  {
    kind: 'DNSRecord',
    object: 'shoot--a/external',
    state: 'waiting',
    why: 'due later',
    operation: 'reconcile',
    reason: 'retry',
    attempt: 3,
    id: 'id-1',
    since: now - 3_600_000,
    at: now + 90_000,
    lastError: 'AccessDenied',
  },
]

describe('a dump', () => {
  test('it is a table for users, with the longest wait first', () => {
    expect(dumpText(rows, 'table', now)).toBe(
      [
        'KIND       OBJECT             STATE    OPERATION  REASON    ATTEMPT  AGE  NEXT    WHY                    LAST ERROR',
        'DNSRecord  shoot--a/external  waiting  reconcile  retry     3        60m  in 90s  due later              AccessDenied',
        'Bastion    shoot--a/b         parked   delete     deletion  0        5s           the sink answered 400',
        '',
      ].join('\n'),
    )
    expect(dumpText([], 'table', now)).toBe('No object needs work.\n')
  })

  test('no field of a table controls the terminal or forges a line', () => {
    const printed = dumpText(planted(rows), 'table', now)
    expect(printed).toContain('FORGED')
    expect(harmIn(printed)).toEqual([])
  })

  test.each([
    [119_000, '119s'],
    [7_199_000, '120m'],
    [172_799_000, '48h'],
    [28_177_200_000, '326d'],
  ])('it shows an age of %i ms as %s', (age, text) => {
    const [row] = rows
    if (row === undefined) throw new Error('there is no row')
    expect(dumpText([{ ...row, since: now - age }], 'table', now)).toContain(` ${text} `)
  })

  test('it is JSON for programs, with one object per line', () => {
    const lines = dumpText(rows, 'json', now).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
      {
        kind: 'DNSRecord',
        object: 'shoot--a/external',
        state: 'waiting',
        why: 'due later',
        operation: 'reconcile',
        reason: 'retry',
        attempt: 3,
        id: 'id-1',
        since: '2026-11-21T11:00:00.000Z',
        at: '2026-11-21T12:01:30.000Z',
        lastError: 'AccessDenied',
      },
      expect.objectContaining({ object: 'shoot--a/b', since: '2026-11-21T11:59:55.000Z' }),
    ])
    expect(lines[1]).not.toContain('"at"')
  })
})
