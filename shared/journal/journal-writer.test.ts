import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { createHistory, journalWriter, readJournal, searchSecrets } from './journal.ts'

const at = '2026-11-21T12:00:00.000Z'
const secret = 'AKIA"planted\nsecret/value+1'

const write = async (
  work: (writer: ReturnType<typeof journalWriter>) => void,
  secrets: readonly string[] = [],
  present: readonly string[] = [],
) => {
  const lines: string[] = []
  const writer = journalWriter({
    header: { by: 'test', at },
    write: line => lines.push(line),
    secrets: searchSecrets(secrets),
    present,
  })
  work(writer)
  const journal = await readJournal(
    (async function* () {
      yield* lines
    })(),
  )
  expect(journal.problems).toEqual([])
  return { ...journal, text: lines.join('') }
}

const object = (fields: Readonly<Record<string, unknown>> = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: { name: 'b', namespace: 'a', resourceVersion: '1' },
  ...fields,
})
const last = Date.parse(at)

test('an object is written whole once, then as its changes', async () => {
  const { entries } = await write(writer => {
    writer.object(at, object({ spec: { ttl: 60 }, status: { observed: 1 } }))
    writer.object(at, object({ spec: { ttl: 60 }, status: { observed: 1 } }))
    writer.object(at, object({ spec: { ttl: 60 }, status: { state: 'x' } }))
    writer.gone(at, 'DNSRecord a/b')
    writer.gone(at, 'DNSRecord a/b')
    writer.object(at, object())
  })
  expect(entries).toEqual([
    {
      type: 'object',
      at,
      id: 'DNSRecord a/b',
      object: object({ spec: { ttl: 60 }, status: { observed: 1 } }),
    },
    { type: 'object', at, id: 'DNSRecord a/b', patch: { status: { observed: null, state: 'x' } } },
    { type: 'object', at, id: 'DNSRecord a/b', gone: true },
    { type: 'object', at, id: 'DNSRecord a/b', object: object() },
  ])
})

test('an object is read back as it was written', async () => {
  // fast-check also makes -0, which no JSON has.
  const value = fc
    .jsonValue({ maxDepth: 3 })
    .map(json => JSON.parse(JSON.stringify(json)) as fc.JsonValue)
    .filter(json => !JSON.stringify(json).match(/null|__proto__/))
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 5 }), async statuses => {
      const { entries } = await write(writer => {
        for (const status of statuses) writer.object(at, object({ status }))
      })
      const read = createHistory(entries).at(last).get('DNSRecord a/b')
      expect(read).toEqual(statuses.length === 0 ? undefined : object({ status: statuses.at(-1) }))
    }),
  )
})

test('a Secret and the data of an event are never written', async () => {
  const { text, entries } = await write(writer => {
    writer.object(at, { ...object({ data: { password: secret } }), kind: 'Secret' })
    writer.event(at, { id: 'e', source: 's', type: 't', subject: 'a/b', time: at, data: 'planted-secret' })
  })
  expect(text).not.toContain('planted')
  expect(entries).toHaveLength(1)
})

test('an object of the journal that is continued is written whole, and its deletion is written', async () => {
  const present = ['DNSRecord a/b', 'DNSRecord a/c']
  const { entries } = await write(
    writer => {
      writer.object(at, object())
      for (const id of present) writer.gone(at, id)
    },
    [],
    present,
  )
  expect(entries).toEqual([
    { type: 'object', at, id: 'DNSRecord a/b', object: object() },
    ...present.map(id => ({ type: 'object', at, id, gone: true })),
  ])
})

test('the deletion of an object is written, also if its last change was left out', async () => {
  const { entries } = await write(writer => {
    writer.object(at, object())
    writer.object(at, object({ status: { state: 'x'.repeat(2 * 1024 * 1024) } }))
    writer.gone(at, 'DNSRecord a/b')
  })
  expect(entries.map(entry => (entry.type === 'object' ? Object.keys(entry).at(-1) : entry.type))).toEqual([
    'object',
    'gap',
    'gone',
  ])
})

test.each([
  ['a value', (text: string) => ({ status: { lastError: { description: `bad key ${text}` } } })],
  ['a name', (text: string) => ({ status: { [text]: 1 } })],
  ['JSON in a text', (text: string) => ({ status: { state: JSON.stringify({ key: text }) } })],
  [
    'JSON in JSON',
    (text: string) => ({ status: { state: JSON.stringify({ a: JSON.stringify({ key: text }) }) } }),
  ],
  ['base64', (text: string) => ({ status: { ca: Buffer.from(text).toString('base64') } })],
  ['a URL', (text: string) => ({ status: { url: `https://a/?key=${encodeURIComponent(text)}` } })],
])('a known secret in %s is redacted', async (_, fields) => {
  const { text, entries } = await write(
    writer => {
      writer.object(at, object())
      writer.object(at, object(fields(secret)))
    },
    [secret],
  )
  expect(entries).toHaveLength(2)
  expect(text).toContain('[redacted]')
  for (const part of [
    'AKIA',
    'planted',
    'secret/value',
    'secret%2Fvalue',
    Buffer.from(secret).toString('base64'),
  ])
    expect(text).not.toContain(part)
})

test('a secret across values leaves out the entry and says so', async () => {
  const across = '","namespace":"'
  const { entries, text } = await write(
    writer => {
      writer.object(at, object())
      writer.object(at, object({ status: 1 }))
    },
    [across],
  )
  expect(text).not.toContain(across)
  expect(entries.map(entry => entry.type === 'gap' && entry.why)).toEqual([
    'a change of DNSRecord a/b is left out: it contains a secret',
    'a change of DNSRecord a/b is left out: it contains a secret',
  ])
})

test('an object that is too large is left out, and written whole when it is smaller', async () => {
  const { entries } = await write(writer => {
    writer.object(at, object({ status: { state: 'x'.repeat(2 * 1024 * 1024) } }))
    writer.object(at, object({ status: { state: 'x' } }))
  })
  expect(entries.map(({ type }) => type)).toEqual(['gap', 'object'])
  expect(createHistory(entries).at(last).get('DNSRecord a/b')).toEqual(object({ status: { state: 'x' } }))
})
