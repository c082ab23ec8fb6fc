import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHistory, type JournalEntry } from '../../shared/journal/journal.ts'
import { journalView } from './journal-view.ts'
import { momentIn, readJournalFile, shootInJournal } from './read-journal-file.ts'

const id = 'DNSRecord shoot--garden--rose/rose'
const object = (state: string) => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: { name: 'rose', namespace: 'shoot--garden--rose' },
  status: { lastOperation: { type: 'Create', state } },
})
const entries: readonly JournalEntry[] = [
  { type: 'object', at: '2026-11-21T12:00:00.000Z', id, object: object('Processing') },
  { type: 'gap', at: '2026-11-21T12:00:30.000Z', until: '2026-11-21T12:00:40.000Z', why: 'no answer' },
  {
    type: 'step',
    at: '2026-11-21T12:01:00.000Z',
    event: 'e',
    function: 'acme',
    object: id,
    operation: 'reconcile',
    began: '2026-11-21T12:00:50.000Z',
    ms: 5_000,
    outcome: 'succeeded',
    calls: [],
  },
  { type: 'object', at: '2026-11-21T12:02:00.000Z', id, gone: true },
]
const at = (time: string) => journalView(createHistory(entries), Date.parse(`2026-11-21T${time}Z`))

test('a moment of a journal has the objects and steps until then, and what is missing then', () => {
  expect(at('11:59:00').objects).toEqual([])
  expect(at('12:00:35')).toMatchObject({ objects: [object('Processing')], steps: [], missing: ['no answer'] })
  expect(at('12:01:00')).toMatchObject({ objects: [{}], steps: [{ event: 'e' }], missing: [] })
  expect(at('12:03:00').objects).toEqual([])
})

test.each([
  ['2026-11-21T12:00:10Z', '2026-11-21T12:00:10.000Z'],
  ['12:00:10', '2026-11-21T12:00:10.000Z'],
  ['12:00', '2026-11-21T12:00:00.000Z'],
  ['-5m', '2026-11-21T12:55:00.000Z'],
])('--at %s is the moment %s of a journal that ends at 13:00', (text, moment) => {
  expect(new Date(momentIn(text, Date.parse('2026-11-21T13:00:00Z'))).toISOString()).toBe(moment)
})

test.each(['yesterday', '25:00:00', '5m', ''])('--at %j is refused with examples', text => {
  expect(() => momentIn(text, 0)).toThrow(/expected a time such as 2026-11-21T12:03:10Z/)
})

describe('a journal in a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-journal-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const read = async (text: string) => {
    await writeFile(join(folder, 'j'), text)
    return readJournalFile(join(folder, 'j'), process.stdin)
  }
  const header = '{"journal":1,"by":"test","at":"2026-11-21T12:00:00.000Z"}\n'

  test('is read as far as it goes', async () => {
    const { history, end, problems } = await read(`${header}${JSON.stringify(entries[0])}\n{"type":"obj`)
    const view = journalView(history, end, problems)
    expect(shootInJournal('rose', view)).toBe('shoot--garden--rose')
    expect(() => shootInJournal('tulip', view)).toThrow(
      /^there is no shoot tulip in the journal at 2026-11-21T12:00:00Z\. It contains: shoot--garden--rose; line 3 is incomplete/,
    )
  })

  test('with a line that is left out is not known as a whole', async () => {
    const first = `${header}${JSON.stringify(entries[0])}\n`
    for (const rest of ['no JSON\n', '{"type":"obj', '{"type":"step"}\n']) {
      const { history, end, problems } = await read(first + rest)
      expect(journalView(history, end, problems).unread).toEqual(['lines of the journal'])
    }
    const { history, end, problems } = await read(first)
    expect(journalView(history, end, problems).unread).toBeUndefined()
  })

  test.each([
    ['another version', '{"journal":2}\n', /has version 2 of the format/],
    ['another file', 'apiVersion: v1\n', /is not a journal of Trellis/],
    ['an empty file', '', /the journal is empty/],
  ])('is refused if it is %s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })

  test('is refused if it does not exist', async () => {
    await expect(readJournalFile(join(folder, 'none'), process.stdin)).rejects.toThrow(
      /cannot be read \(ENOENT\)/,
    )
  })
})
