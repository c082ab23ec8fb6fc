import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kinds } from '../../shared/contract/kinds.ts'
import { buildEvent, eventMessage } from '../../shared/events/events.ts'
import { startTestSeed, type TestSeed } from './harness.ts'
import { recordOf } from './shoot.ts'

let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed({ processes: {} })
})
afterAll(() => seed.close())
beforeEach(() => {
  seed.observed.length = 0
})

const object = recordOf('api', '2026-11-21T12:00:00.000000001Z')
const event = buildEvent({
  object: { ...object, metadata: { ...object.metadata, uid: 'u-1', generation: 1, resourceVersion: '7' } },
  kind: 'DNSRecord',
  operation: 'reconcile',
  cause: 'c',
  reason: 'annotation',
  attempt: 0,
  source: '/seeds/s',
  now: 0,
})

const post = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer<ArrayBuffer>,
) => (await fetch(url, { method: 'POST', headers: { ...headers }, body })).status

const { headers, body } = eventMessage(event)

/** The kinds of events at the broker. */
const atBroker = (): readonly string[] =>
  seed.observed.flatMap(seen => (seen.part === 'broker' ? [seen.event.kind] : []))

const woken = (): readonly string[] =>
  seed.observed.flatMap(seen => (seen.part === 'function' ? [seen.name] : []))

describe('an event for no function starts none', () => {
  test.each([
    [
      'of a kind without a function',
      { ...event, kind: 'Worker', type: 'cloud.gardener.extensions.worker.reconcile' },
    ],
    ['of another provider', { ...event, provider: 'google-clouddns' }],
    [
      'of an unknown kind',
      { ...event, kind: 'Unheard', type: 'cloud.gardener.extensions.unheard.reconcile' },
    ],
  ])('%s', async (_, foreign) => {
    const message = eventMessage(foreign)
    const status = await post(
      seed.broker.ingress('trellis', 'default'),
      message.headers,
      Buffer.from(message.body),
    )
    expect(status).toBe(202)
    await seed.broker.idle()
    expect(atBroker()).toEqual(['received', 'unmatched'])
    expect(woken()).toEqual([])
  })

  test('objects of foreign kinds and providers start no function', async () => {
    await seed.create('elsewhere', { type: 'google-clouddns' })
    await seed.kubernetes.create(kinds.Network.resource, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Network',
      metadata: {
        name: 'net',
        namespace: object.metadata.namespace ?? '',
        annotations: { 'gardener.cloud/operation': 'reconcile' },
      },
      spec: { type: 'cilium', podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
    })
    await seed.until('both events', () =>
      atBroker().filter(kind => kind === 'unmatched').length === 2 ? true : undefined,
    )
    await seed.broker.idle()
    expect(woken()).toEqual([])
    expect(seed.live('elsewhere')?.status).toBeUndefined()
  })
})

describe('the broker refuses', () => {
  test.each<[string, number, Readonly<Record<string, string>>, string]>([
    ['a request without event headers', 400, { 'content-type': 'application/json' }, '{}'],
    ['an event over 1 MiB', 413, headers, `"${'x'.repeat(1024 * 1024)}"`],
  ])('%s', async (_, status, sent, text) => {
    expect(await post(seed.broker.ingress('trellis', 'default'), sent, text)).toBe(status)
    expect(atBroker()).toEqual(['refused'])
    expect(woken()).toEqual([])
  })
})

describe('a running function refuses', () => {
  let url = ''
  beforeAll(async () => {
    await seed.create('waker')
    await seed.untilReady('waker')
    url = seed.processes[0]?.url ?? ''
  })

  const { 'ce-kind': _, ...withoutKind } = headers
  const cases: readonly [string, string, Readonly<Record<string, string>>, string | Buffer<ArrayBuffer>][] = [
    ['an event without an attribute', 'malformed', withoutKind, Buffer.from(body)],
    ['an event whose data is no JSON', 'malformed', headers, '{"half":'],
    [
      'an event whose data is another object',
      'malformed',
      headers,
      JSON.stringify({ ...object, kind: 'Secret' }),
    ],
    [
      'an event whose attributes contradict each other',
      'malformed',
      { ...headers, 'ce-subject': 'a/b' },
      Buffer.from(body),
    ],
    ['a request without event headers', 'malformed', { 'content-type': 'text/plain' }, 'hello'],
    [
      'an event for another function',
      'foreign',
      { ...headers, 'ce-provider': 'google-clouddns' },
      Buffer.from(body),
    ],
    ['an event over 1 MiB', 'too-large', headers, `"${'x'.repeat(1024 * 1024)}"`],
  ]

  test.each(cases)('%s, with status 400 and a counted refusal', async (_, outcome, sent, text) => {
    const before = await refusals(outcome)
    expect(await post(url, sent, text)).toBe(400)
    expect(await refusals(outcome)).toBe(before + 1)
  })

  const refusals = async (outcome: string): Promise<number> => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const line = metrics
      .split('\n')
      .find(text => text.startsWith(`trellis_function_answers_total{outcome="${outcome}",`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  test('and continues with the others', async () => {
    await seed.create('after')
    await seed.untilReady('after')
    expect(seed.processes).toHaveLength(1)
  })
})
