import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveHostedZoneOf } from '../../sandbox/providers/aws/hosted-zone.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { eventId } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  broken,
  create,
  entries,
  replay,
  type SavedEvent,
  saved,
  temporaryFiles,
} from './testing/replay-run.ts'

let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

/** A later event of the same object, with its later content. */
const later = (event: SavedEvent, operation: 'reconcile' | 'delete', data: KubernetesObject): SavedEvent => ({
  ...event,
  id: eventId(String(event.objectuid), 2, operation, 'later'),
  type: `cloud.gardener.extensions.dnsrecord.${operation}`,
  time: '2026-01-01T01:00:00.000Z',
  generation: '2',
  data: data as SavedEvent['data'],
})

describe('the output', () => {
  test.each([
    { path: create, golden: 'dnsrecord-create', ok: true },
    { path: broken, golden: 'dnsrecord-broken', ok: false },
  ])('for $golden, it is the same every time', async ({ path, golden, ok }) => {
    const first = await replay([path])
    const second = await replay([path])
    expect(second).toEqual(first)
    expect(first.ok).toBe(ok)
    await expect(first.text).toMatchFileSnapshot(`golden/${golden}.txt`)
  })

  test('it has colours exactly if requested', async () => {
    const ansi = String.fromCharCode(27)
    expect((await replay([create], { color: true })).text).toContain(`${ansi}[32m+`)
    expect((await replay([create])).text).not.toContain(ansi)
  })

  test('as JSON, it has the same content as the text', async () => {
    const [entry] = await entries([create])
    expect(entry?.outcome).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(entry?.object.diff).toContain('+    state: Succeeded')
    expect(entry?.aws.writes.map(({ sentence }) => sentence)).toEqual([
      'route53 ChangeResourceRecordSets UPSERT A api.rose.example.com → 203.0.113.10',
    ])
  })
})

describe('the events', () => {
  test('they may be in an array, in JSON lines and on standard input', async () => {
    const event = await saved(create)
    const one = JSON.stringify(event)
    const array = await replay([await files.write('array.json', `[${one},${one}]`)])
    const lines = await replay([await files.write('lines.jsonl', `${one}\n\n${one}\n`)])
    const stdin = await replay(['-'], { stdin: `${one}\n${one}` })
    expect(array.text.match(/^outcome {5}succeeded$/gm)).toHaveLength(2)
    expect(lines.text.replaceAll('lines.jsonl', 'array.json')).toBe(array.text)
    expect(stdin.text.replaceAll('stdin', 'array.json')).toBe(array.text)
  })

  test('of one file share an AWS account, so that a deletion finds the created resources', async () => {
    const event = await saved(create)
    const [created] = await entries([create])
    const after = created?.object.after
    if (after === undefined) throw new Error('nothing was written')
    const deleted = later(event, 'delete', {
      ...after,
      metadata: { ...after.metadata, deletionTimestamp: '2026-01-01T01:00:00Z', generation: 2 },
    })
    const [, entry] = await entries([await files.write('life.json', JSON.stringify([event, deleted]))])
    expect(entry?.object.gone).toBe(true)
    expect(entry?.aws.writes.map(({ sentence }) => sentence)).toEqual([
      'route53 ChangeResourceRecordSets DELETE A api.rose.example.com. → 203.0.113.10',
    ])
  })

  test('of an object outside of a shoot need no Cluster', async () => {
    const event = await saved(create)
    const spec = { ...event.data.spec, class: 'garden' }
    const path = await files.write(
      'garden.json',
      JSON.stringify({ ...event, extclass: 'garden', data: { ...event.data, spec } }),
    )
    expect((await entries([path]))[0]?.outcome).toEqual({ kind: 'recorded', how: 'succeeded' })
  })

  test('they show which parts of their object were omitted', async () => {
    const event = await saved(create)
    const { metadata } = event.data
    const annotations = { ...metadata.annotations, 'trellis.gardener.cloud/omitted': 'status.state' }
    const data = { ...event.data, metadata: { ...metadata, annotations } }
    const path = await files.write('omitted.json', JSON.stringify({ ...event, data }))
    const { text } = await replay([path])
    expect(text).toContain('the event arrived without status.state')
    expect(text).not.toContain('trellis.gardener.cloud/omitted')
  })
})

describe('the AWS account', () => {
  const zoned = async (zone: string) => {
    const event = await saved(create)
    return files.write(
      `${zone}.json`,
      JSON.stringify({ ...event, data: { ...event.data, spec: { ...event.data.spec, zone } } }),
    )
  }

  test('it has the hosted zone of the object', async () => {
    const { text } = await replay([await zoned('ZNAMED')])
    expect(text).toContain('HostedZoneId: ZNAMED')
    expect(text).toContain('+  zone: ZNAMED')
  })

  test('it has the resources in the status of the object', async () => {
    const event = await saved(create)
    const [created] = await entries([create])
    const after = created?.object.after
    if (after === undefined) throw new Error('nothing was written')
    const asked = {
      ...after,
      metadata: { ...after.metadata, annotations: event.data.metadata.annotations ?? {} },
    }
    const deleted = {
      ...after,
      metadata: { ...after.metadata, deletionTimestamp: '2026-01-01T01:00:00Z', generation: 2 },
    }
    const changed = {
      ...asked,
      metadata: { ...asked.metadata, generation: 2 },
      spec: { ...event.data.spec, values: ['203.0.113.20'] },
    }
    const cases = [
      { name: 'unchanged', event: later(event, 'reconcile', asked), assumed: true, writes: [] },
      { name: 'deleted', event: later(event, 'delete', deleted), assumed: true, writes: ['DELETE'] },
      { name: 'changed', event: later(event, 'reconcile', changed), assumed: false, writes: ['UPSERT'] },
      { name: 'new', event, assumed: false, writes: ['UPSERT'] },
    ]
    for (const { name, event: replayed, assumed, writes } of cases) {
      const [entry] = await entries([await files.write(`${name}.json`, JSON.stringify(replayed))])
      const done = entry?.aws.writes.map(({ sentence }) => sentence.split(' ')[2])
      expect({ name, assumed: entry?.assumed, writes: done }).toEqual({ name, assumed, writes })
    }
  })

  test('it is the saved one if there is one', async () => {
    const { data } = await saved(create)
    const account = createAws({ defaultAccount: '210987654321' }).account()
    giveHostedZoneOf(account, { ...data, spec: { ...data.spec, name: 'api.elsewhere.example.org' } })
    const state = await files.write('account.json', JSON.stringify(account.snapshot()))
    const { ok, text } = await replay([create], { awsState: state })
    expect(ok).toBe(false)
    expect(text).toContain('the account has no zone whose name is a suffix of it')
  })

  test('it has no zone for an invalid name', async () => {
    const event = await saved(create)
    const data = { ...event.data, spec: { ...event.data.spec, name: 'api..example' } }
    const { ok, text } = await replay([await files.write('name.json', JSON.stringify({ ...event, data }))])
    expect(ok).toBe(false)
    expect(text).toContain('outcome     failed')
  })
})
