import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import {
  createKubernetes,
  eventResource,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import { madeUpObjects } from '../testing/made-up-objects.ts'
import { type ServedConsole, serveConsole } from '../testing/served-console.ts'
import { consoleActions } from './console-actions.ts'

const namespace = 'shoot--dev--rose'
const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
const [cluster, , record] = madeUpObjects(namespace, 'rose', 1).map(
  ({ object }) => object as never as KubernetesObject,
)
const key = { namespace, name: 'rose-internal' }
const { resource } = kinds.DNSRecord

const seed = async () => {
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  const api = createApiServer({ clock, objects: [...allCrds(), home] })
  const kubernetes = createKubernetes({ transport: api.transport, clock })
  await kubernetes.create(clusterKind.resource, cluster as KubernetesObject)
  await kubernetes.create(resource, record as KubernetesObject)
  const live = async () => (await kubernetes.get(resource, key)) as KubernetesObject
  return { kubernetes, live, actions: consoleActions(kubernetes, { clock, user: 'anna' }) }
}

const target = `DNSRecord/${namespace}/rose-internal`

describe('the actions of the page', () => {
  test('write what was shown, once, with an Event that has the name of the user', async () => {
    const { kubernetes, live, actions } = await seed()
    const shown = await actions.prepare({ action: 'reconcile', target, reason: 'new zone' })
    expect(shown).toMatchObject({ user: 'trellis-sandbox', writes: 1 })
    expect(shown.lines).toEqual([`✎ ${target}: reconciles at once`])
    expect((await live()).metadata.annotations?.[annotations.operation]).toBeUndefined()
    expect(await actions.write(shown.id)).toEqual({ lines: [`✓ ${target}`], failures: 0 })
    expect((await live()).metadata.annotations?.[annotations.operation]).toBe('reconcile')
    expect((await kubernetes.list(eventResource)).items).toMatchObject([
      {
        reason: 'ReconcileRequested',
        message: expect.stringMatching(/^trellis-sandbox has run trellis reconcile \(new zone\)/),
      },
    ])
    expect(await actions.write(shown.id)).toBeUndefined()
  })

  test('write nothing that was shown five minutes ago, or long before others', async () => {
    const { live, actions } = await seed()
    const first = await actions.prepare({ action: 'reconcile', target })
    await clock.advance(5 * 60_000 + 1)
    expect(await actions.write(first.id)).toBeUndefined()
    const second = await actions.prepare({ action: 'reconcile', target })
    for (let other = 0; other < 20; other++) await actions.prepare({ action: 'reconcile', target })
    expect(await actions.write(second.id)).toBeUndefined()
    expect((await live()).metadata.annotations?.[annotations.operation]).toBeUndefined()
  })
})

describe('a request to act', () => {
  let served: ServedConsole
  let world: Awaited<ReturnType<typeof seed>>
  beforeEach(async () => {
    world = await seed()
    served = await serveConsole({ actions: world.actions })
  })
  afterEach(() => served.close())

  const post = (
    path: string,
    body: object,
    headers: Readonly<Record<string, string | undefined>> = {},
    method = 'POST',
  ) => {
    const { origin } = new URL(served.url)
    const text = JSON.stringify(body)
    const all = {
      origin,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'x-trellis-key': world.actions.key,
      ...headers,
    }
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    return served.get(`/api/act/${path}`, sent as Record<string, string>, method, text)
  }

  test('of the page itself shows what will happen, and writes it', async () => {
    expect(new URL(served.ownUrl ?? '').hash).toBe(`#key=${world.actions.key}`)
    expect(JSON.parse((await served.get('/api/overview')).body).hasActions).toBe(true)
    const ids = [`DNSRecord ${namespace}/rose-internal`]
    expect(JSON.parse((await post('allowed', { ids })).body)).toContain('pause')
    const shown = JSON.parse((await post('prepare', { action: 'pause', target, until: '1h' })).body)
    expect(shown.lines[0]).toContain('no step starts until 2026')
    expect(await post('write', { id: shown.id })).toMatchObject({ status: 200 })
    expect((await world.live()).metadata.annotations?.[annotations.pause]).toContain('trellis-sandbox')
    expect(await post('write', { id: shown.id })).toMatchObject({ status: 410 })
  })

  test.each([
    ['of a page of another origin', { origin: 'http://evil.example' }],
    ['of a sandboxed frame', { origin: 'null' }],
    ['without an origin', { origin: undefined }],
    ['of another console', { origin: 'http://127.0.0.1:1' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port', { 'sec-fetch-site': 'same-site' }],
    ['by a typed address', { 'sec-fetch-site': 'none' }],
    ['of a rebound name', { host: 'evil.example', origin: 'http://evil.example' }],
    ['of a form', { 'content-type': 'text/plain' }],
    ['of another user, without the key', { 'x-trellis-key': undefined }],
    ['with another key', { 'x-trellis-key': 'a'.repeat(32) }],
  ])('%s is refused, and nothing is written', async (_, headers) => {
    const { id } = await world.actions.prepare({ action: 'reconcile', target })
    for (const [path, body] of [
      ['allowed', { ids: [] }],
      ['prepare', { action: 'reconcile', target }],
      ['write', { id }],
    ] as const)
      expect(await post(path, body, headers)).toMatchObject({ status: 403 })
    expect((await world.live()).metadata.annotations?.[annotations.operation]).toBeUndefined()
  })

  test('of a shoot with hundreds of objects with long names has an answer', async () => {
    const ids = Array.from(
      { length: 400 },
      (_, n) => `OperatingSystemConfig ${namespace}/${'pool-'.repeat(48)}${n}`,
    )
    expect(await post('allowed', { ids })).toMatchObject({ status: 200 })
    const one = (ids[0] ?? '').replace(' ', '/')
    expect((await post('prepare', { action: 'retry', target: one })).body).toContain('there is no Oper')
  })

  test('by another method, that is too large, or is none is refused', async () => {
    expect(await post('write', {}, {}, 'GET')).toMatchObject({ status: 405 })
    expect(await post('write', {}, {}, 'PUT')).toMatchObject({ status: 405 })
    expect(await post('write', { id: 'x'.repeat(300_000) })).toMatchObject({ status: 413 })
    expect(await post('prepare', { action: 'delete', target })).toMatchObject({ status: 422 })
    expect(await post('prepare', { action: 'retry', target: 'DNSRecord/a/gone' })).toMatchObject({
      status: 422,
      body: expect.stringContaining('there is no DNSRecord a/gone'),
    })
    expect(await post('delete', {})).toMatchObject({ status: 404 })
  })

  test('is none of a console that only reads', async () => {
    const readOnly = await serveConsole()
    try {
      expect(readOnly.ownUrl).toBeUndefined()
      expect(await readOnly.get('/api/act/write', {}, 'POST', '{}')).toMatchObject({ status: 405 })
      expect(await readOnly.get('/api/act/write')).toMatchObject({ status: 404 })
    } finally {
      await readOnly.close()
    }
  })
})
