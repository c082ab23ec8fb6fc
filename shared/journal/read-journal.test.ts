import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { journalEntrySchema } from './entry.ts'
import { isJournalEntry } from './entry-structure.ts'
import { readJournal } from './read-journal.ts'

const at = '2026-11-21T12:00:00.000Z'
const header = JSON.stringify({ journal: 1, by: 'test', at })
const gap = (why: string) => JSON.stringify({ type: 'gap', at, why })
const event = { id: 'e', source: '/seeds/a', type: 't', subject: 'a/b', time: at, kind: 'DNSRecord' }
const call = { to: 'cloud', name: 'ec2 CreateVpc', after: 1, ms: 2.5, status: '200', write: true }
const step = {
  type: 'step',
  at,
  event: 'e',
  function: 'aws-dnsrecord',
  object: 'DNSRecord a/b',
  operation: 'reconcile',
  began: at,
  ms: 12,
  outcome: 'succeeded',
  calls: [call],
}

async function* pieces(text: string | Uint8Array, size: number) {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size)
}
const read = (lines: readonly string[], ending = '\n') => readJournal(pieces(lines.join('\n') + ending, 7))

test('a journal is read from pieces of any size, with characters that lie across pieces', async () => {
  const bytes = new TextEncoder().encode(
    `${[header, gap('Zürich 𝄞'), JSON.stringify(step)].join('\r\n')}\r\n`,
  )
  for (const size of [1, 2, 3, 64, 10_000]) {
    const { entries, problems } = await readJournal(pieces(bytes, size))
    expect(problems).toEqual([])
    expect(entries).toEqual([{ type: 'gap', at, why: 'Zürich 𝄞' }, step])
  }
})

describe('a problem is a sentence, and the rest is read', () => {
  test.each([
    [
      'a truncated last line',
      [header, gap('a'), gap('b').slice(0, 20)],
      '',
      `line 3 is incomplete: the journal ends at ${at}`,
    ],
    [
      'a journal without a whole entry',
      [header, '{"ty'],
      '',
      'line 2 is incomplete: the journal ends before its first entry',
    ],
    ['a line that is not JSON', [header, 'x', gap('a')], '\n', 'line 2 is not JSON and is left out'],
    [
      'an unknown type',
      [header, JSON.stringify({ type: 'dream\u001b[31m', at }), gap('a')],
      '\n',
      'line 2 is left out: this version does not know entries of type "dream\\u001b[31m"',
    ],
    [
      'a known type with a wrong field',
      [header, JSON.stringify({ ...step, calls: [{ ...call, error: {} }] }), gap('a')],
      '\n',
      'line 2 is left out: calls[0].error: expected a string, found an object',
    ],
    [
      'a line without an object',
      [header, '7', gap('a')],
      '\n',
      'line 2 is left out: expected an object, found a number',
    ],
    [
      'an object that is too deep',
      [
        header,
        `{"type":"object","at":"${at}","id":"A b","patch":${'{"a":'.repeat(600)}1${'}'.repeat(601)}`,
        gap('a'),
      ],
      '\n',
      'line 2 is left out: it has too many levels',
    ],
  ])('%s', async (_, lines, ending, problem) => {
    const journal = await read(lines, ending)
    expect(journal.problems).toEqual([problem])
    expect(journal.header?.by).toBe('test')
    expect(journal.entries).toHaveLength(lines.includes(gap('a')) ? 1 : 0)
  })

  test('a line that is too long', async () => {
    const lines = [header, gap('x'.repeat(200)), gap('a')].join('\n')
    const { entries, problems } = await readJournal(pieces(`${lines}\n`, 64), { line: 100 })
    expect(problems).toEqual(['line 2 is longer than 100 characters and is left out'])
    expect(entries).toHaveLength(1)
  })

  test('a journal that is too long', async () => {
    const lines = [header, ...Array.from({ length: 100 }, () => gap('a'))].join('\n')
    const { entries, problems } = await readJournal(pieces(lines, 64), { total: 1_000 })
    expect(problems).toEqual([`the journal is longer than 1000 bytes: what follows ${at} is not read`])
    expect(entries.length).toBeGreaterThan(0)
  })

  test('a source that fails', async () => {
    const failing = async function* () {
      yield `${header}\n${gap('a')}\n`
      throw new Error('connection reset')
    }
    const { entries, problems } = await readJournal(failing())
    expect(problems).toEqual(['the journal could not be read to its end: connection reset'])
    expect(entries).toHaveLength(1)
  })

  test('a thousand broken lines are a hundred problems and a number', async () => {
    const { problems } = await read([header, ...Array.from({ length: 1_000 }, () => 'x')])
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toBe('900 more lines are left out')
  })
})

test.each([
  [
    'another version',
    JSON.stringify({ journal: 2, by: 'test', at }),
    'the journal has version 2 of the format, and this program reads version 1. Use the version of Trellis that recorded it',
  ],
  [
    'another file',
    '<html>',
    'this is not a journal of Trellis: its first line is not a header with the field journal',
  ],
  [
    'a JSON file',
    '{"kind":"Shoot"}',
    'this is not a journal of Trellis: its first line is not a header with the field journal',
  ],
  [
    'a header without fields',
    '{"journal":1}',
    'the header of the journal is invalid: by: expected a string, found nothing; at: expected a string, found nothing',
  ],
  ['nothing', '', 'the journal is empty'],
])('%s is refused as a whole', async (_, first, problem) => {
  const journal = await read([first, gap('a')].filter(line => first !== '' || line === ''))
  expect(journal).toEqual({ header: undefined, entries: [], problems: [problem] })
})

test('two journals, one after the other, are read as one', async () => {
  const { entries, problems } = await read([header, gap('a'), header, gap('b')])
  expect([entries.length, problems]).toEqual([2, []])
})

test('the fast check accepts an entry exactly if the schema does', () => {
  const wrong = fc.constantFrom(undefined, null, 0, 1.5, -1, '', 'x', true, [], {}, at, [call], [{}])
  const entries = fc.constantFrom<Record<string, unknown>>(
    step,
    { type: 'event', at, event },
    { type: 'object', at, id: 'A b', object: {} },
    { type: 'object', at, id: 'A b', patch: { a: null } },
    { type: 'object', at, id: 'A b', gone: true },
    { type: 'gap', at, why: 'x', until: at },
    { ...step, traceparent: '00', reason: 'r', lost: 3 },
  )
  const names = fc.constantFrom(
    ...['type', 'at', 'id', 'object', 'patch', 'gone', 'event', 'why', 'until', 'function', 'began', 'ms'],
    ...['outcome', 'reason', 'calls', 'lost', 'operation', 'traceparent'],
  )
  const callNames = fc.constantFrom(
    'to',
    'name',
    'target',
    'args',
    'after',
    'ms',
    'status',
    'error',
    'requestId',
    'write',
  )
  const eventNames = fc.constantFrom('id', 'source', 'type', 'subject', 'time', 'other')
  fc.assert(
    fc.property(
      entries,
      names,
      callNames,
      eventNames,
      wrong,
      fc.nat(2),
      (entry, name, inCall, inEvent, value, where) => {
        const broken =
          where === 0 || (entry.type !== 'step' && entry.type !== 'event')
            ? { ...entry, [name]: value }
            : entry.type === 'step'
              ? { ...entry, calls: [call, { ...call, [inCall]: value }] }
              : { ...entry, event: { ...event, [inEvent]: value } }
        // As read from JSON: undefined is absent.
        const given = JSON.parse(JSON.stringify(broken))
        expect(isJournalEntry(given)).toBe(journalEntrySchema.safeParse(given).success)
      },
    ),
    { numRuns: 2_000 },
  )
})
