import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createHistory, type JournalEntry, readJournal } from '../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { checkedJournal } from './file/checked-journal.ts'
import { fileOutput } from './file/journal-output.ts'
import { recordSeed } from './record-seed.ts'
import { seedWith, startRecording, without } from './testing/recorded.ts'

const { resource } = kinds.DNSRecord
const object = (kind: string, name: string, namespace?: string, spec: object = {}): KubernetesObject => ({
  apiVersion: kind === 'Namespace' ? 'v1' : 'extensions.gardener.cloud/v1alpha1',
  kind,
  metadata: {
    name,
    uid: `uid-${name}`,
    annotations: { 'confirmation.gardener.cloud/deletion': 'true' },
    ...(namespace !== undefined && { namespace }),
  },
  ...(kind !== 'Namespace' && { spec }),
})
const record = (name: string, namespace: string) =>
  object('DNSRecord', name, namespace, {
    type: 'aws-route53',
    name: 'a.example.com',
    recordType: 'A',
    values: ['203.0.113.1'],
    secretRef: { name: 's', namespace },
  })
const rose = 'shoot--garden--rose'
const lily = 'shoot--garden--lily'
const objects = [
  object('Namespace', rose),
  object('Namespace', lily),
  record('one', rose),
  record('other', lily),
  object('BackupBucket', 'bucket-a', undefined, {
    type: 'aws',
    region: 'r',
    secretRef: { name: 's', namespace: 'garden' },
  }),
  object('BackupBucket', 'bucket-b', undefined, {
    type: 'aws',
    region: 'r',
    secretRef: { name: 's', namespace: 'garden' },
  }),
  object('BackupEntry', `${rose}--1234`, undefined, {
    type: 'aws',
    region: 'r',
    bucketName: 'bucket-b',
    secretRef: { name: 's', namespace: 'garden' },
  }),
]
const isOf = (id: string, part: 'object' | 'patch' | 'gone') => (entry: JournalEntry) =>
  entry.type === 'object' && entry.id === id && entry[part] !== undefined
const one = `DNSRecord ${rose}/one`
const key = { name: 'one', namespace: rose }

describe('a recording', () => {
  test('contains each object whole, then its changes, then its end', async () => {
    const { server, kubernetes } = seedWith(objects)
    const recording = startRecording({ kubernetes })
    await recording.until(isOf(one, 'object'))
    await kubernetes.patch(resource, key, { spec: { ttl: 60 } })
    await recording.until(isOf(one, 'patch'))
    await kubernetes.delete(resource, key)
    await recording.until(isOf(one, 'gone'))
    await recording.end()
    server.close()
    const changes = createHistory(recording.entries).changesOf(one)
    expect(changes.map(({ after }) => (after()?.spec as { ttl?: number } | undefined)?.ttl)).toEqual([
      undefined,
      60,
      undefined,
    ])
    expect(recording.problems()).toEqual([])
  })

  test('of chosen shoots contains their objects, their BackupEntries and the buckets of these', async () => {
    const { server, kubernetes } = seedWith(objects)
    const recording = startRecording({ kubernetes, shoots: [rose] })
    await recording.until(isOf('BackupBucket bucket-b', 'object'))
    await recording.until(isOf(one, 'object'))
    const { shoots } = await recording.end()
    server.close()
    const ids = recording.entries.flatMap(entry => (entry.type === 'object' ? entry.id : []))
    expect(ids.toSorted()).toEqual(['BackupBucket bucket-b', `BackupEntry ${rose}--1234`, one])
    expect(shoots).toEqual([rose])
  })

  test('without a permission to watch sees changes and deletions by lists, and says so', async () => {
    const { server, kubernetes } = seedWith(objects)
    const recording = startRecording({
      kubernetes: without(kubernetes, verb => verb === 'watch'),
      pollMs: 20,
    })
    await recording.until(isOf(one, 'object'))
    await kubernetes.patch(resource, key, { spec: { ttl: 60 } })
    await recording.until(isOf(one, 'patch'))
    await kubernetes.delete(resource, key)
    await recording.until(isOf(one, 'gone'))
    const { gaps } = await recording.end()
    server.close()
    expect(gaps).toContainEqual(expect.stringContaining('dnsrecords: may not be watched (403)'))
  })

  test('without a permission to list a kind contains the others, and says what is missing', async () => {
    const { server, kubernetes } = seedWith(objects)
    const recording = startRecording({
      kubernetes: without(kubernetes, (_, plural) => plural === 'clusters'),
    })
    await recording.until(isOf(one, 'object'))
    await recording.until(({ type }) => type === 'gap')
    expect((await recording.end()).gaps).toContain('clusters: may not be listed (403)')
    server.close()
  })

  test('that continues a journal adds only later events of the bridge, by its clock', async () => {
    const { server, kubernetes } = seedWith(objects)
    const eventAt = (at: string): JournalEntry => ({
      type: 'event',
      at,
      event: {
        id: at,
        source: 's',
        type: 't',
        subject: `${rose}/one`,
        kind: 'DNSRecord',
        name: 'one',
        time: at,
      },
    })
    const [earlier, later] = ['2026-11-28T04:00:00.000Z', '2026-11-28T04:00:01.000Z'] as const
    const recording = startRecording({
      kubernetes,
      present: { size: 0, ids: new Set(), until: '2026-11-28T05:00:00.000Z', bridgeUntil: earlier },
      tap: async (recorder, isSelected) => {
        for (const entry of [earlier, later].map(eventAt))
          if (entry.type === 'event' && isSelected(entry)) recorder.event(entry.at, entry.event)
      },
    })
    await recording.until(({ type }) => type === 'event')
    await recording.end()
    server.close()
    expect(recording.entries.flatMap(entry => (entry.type === 'event' ? entry.at : []))).toEqual([later])
  })

  test('ends with a gap when the journal has its maximum size', async () => {
    const { server, kubernetes } = seedWith(objects)
    const recording = startRecording({ kubernetes, mostBytes: 1_500 })
    const { isFull, bytes } = await recording.recorded
    server.close()
    expect([isFull, bytes <= 1_500]).toEqual([true, true])
    expect(recording.entries.at(-1)).toMatchObject({
      type: 'gap',
      why: expect.stringContaining('maximum size'),
    })
  })
})

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-record-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Records into a file until it contains a text. */
  const recordInto = async (path: string, present: readonly KubernetesObject[], last: string) => {
    const { server, kubernetes } = seedWith(present)
    const before = await checkedJournal(path, undefined)
    const output = await fileOutput(path, before?.size)
    const ended = new AbortController()
    const watched = {
      ...output,
      flushed: async () => {
        await output.flushed()
        if ((await readFile(path, 'utf8')).includes(last)) ended.abort()
      },
    }
    await recordSeed(
      {
        kubernetes,
        clock: systemClock,
        by: 'test',
        output: watched,
        ...(before && { present: before }),
      },
      ended.signal,
    )
    await output.close()
    server.close()
  }

  test('that is a journal is continued: the pause is a gap, and objects that are gone since are gone', async () => {
    const path = join(folder, 'continued.journal')
    await recordInto(path, objects, `"${one}"`)
    const first = await readFile(path, 'utf8')
    const left = objects.filter(({ metadata }) => metadata.name !== 'one')
    await recordInto(path, left, `"id":"${one}","gone":true`)
    const text = await readFile(path, 'utf8')
    expect(text.startsWith(first)).toBe(true)
    const { entries, problems } = await readJournal(
      (async function* () {
        yield text
      })(),
    )
    expect(problems).toEqual([])
    expect(entries).toContainEqual(expect.objectContaining({ type: 'gap', why: 'nothing was recorded' }))
  })

  test.each([
    ['YAML', 'apiVersion: v1\n', 'not a journal of Trellis'],
    ['events of an earlier version', '{"specversion":"1.0"}\n', 'not a journal of Trellis'],
    [
      'a journal of another version',
      '{"journal":99,"by":"x","at":"2026-01-01T00:00:00.000Z"}\n',
      'version 99',
    ],
    [
      'a journal that ends within a line',
      '{"journal":1,"by":"x","at":"2026-01-01T00:00:00.000Z"}\n{"type"',
      'ends within a line',
    ],
    [
      'a journal of other shoots',
      '{"journal":1,"by":"x","at":"2026-01-01T00:00:00.000Z","shoots":["a"]}\n',
      'records a, not all shoots',
    ],
  ])('with %s is refused and not changed', async (_, text, why) => {
    const path = join(folder, 'other')
    await writeFile(path, text)
    await expect(checkedJournal(path, undefined)).rejects.toThrow(why)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('that cannot be written is refused', async () => {
    await expect(fileOutput(join(folder, 'no/such'))).rejects.toThrow('cannot be written (ENOENT)')
  })
})
