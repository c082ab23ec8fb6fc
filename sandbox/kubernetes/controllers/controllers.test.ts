import { describe, expect, test } from 'vitest'
import { testServer, thing, thingDefinition, things } from '../testing/api-server-fixture.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

describe('a CustomResourceDefinition', () => {
  test('a definition is served as soon as it is created, and its status says so', async () => {
    const { call } = testServer()
    expect((await call('GET', things)).status).toBe(404)
    await call('POST', definitions, thingDefinition())
    expect((await call('GET', things)).status).toBe(200)
    expect((await call('GET', `${definitions}/things.example.com`)).body).toMatchObject({
      spec: { names: { singular: 'thing', listKind: 'ThingList' }, conversion: { strategy: 'None' } },
      status: {
        acceptedNames: { kind: 'Thing' },
        storedVersions: ['v1'],
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
      },
    })
  })

  test('an invalid definition reports its errors', async () => {
    const { call } = testServer()
    const wrong = thingDefinition({}, { scope: 'Everywhere', versions: [] }, { name: 'other' })
    expect(await call('POST', definitions, wrong)).toMatchObject({
      status: 422,
      body: {
        message: expect.stringMatching(
          /metadata\.name: Invalid value.*spec\.scope: Unsupported value.*spec\.versions: Required value/,
        ),
      },
    })
  })

  test('a definition serves an object in all of its versions', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const versions = [
      { name: 'v1beta1', served: true, storage: false, schema },
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v0', served: false, storage: false, schema },
    ]
    const { call, watch } = testServer({ objects: [thingDefinition({}, { versions })] })
    const old = things.replace('v1', 'v1beta1')
    const seen = await watch(`${old}?watch=true`)
    await call('POST', old, { ...thing('a'), apiVersion: 'example.com/v1beta1' })
    expect((await call('GET', `${things}/a`)).body).toMatchObject({ apiVersion: 'example.com/v1' })
    expect((await call('GET', `${old}/a`)).body).toMatchObject({ apiVersion: 'example.com/v1beta1' })
    expect(await seen()).toMatchObject([{ object: { apiVersion: 'example.com/v1beta1' } }])
    expect((await call('GET', things.replace('v1', 'v0'))).status).toBe(404)
    const preferred = (await call('GET', '/apis/example.com')).body
    expect(preferred).toMatchObject({ preferredVersion: { version: 'v1' } })
  })

  test('deleting a definition deletes its objects and ends their watches', async () => {
    const { call, watch, server } = testServer({ objects: [thingDefinition()] })
    await call('POST', things, thing('a'))
    await call('POST', things, thing('held', {}, { finalizers: ['example.com/hold'] }))
    const seen = await watch(`${things}?watch=true`)
    await seen()
    await call('DELETE', `${definitions}/things.example.com`)
    expect((await seen()).map(line => line.type)).toEqual(['DELETED', 'MODIFIED'])
    expect((await call('GET', `${definitions}/things.example.com`)).body).toMatchObject({
      metadata: { deletionTimestamp: expect.any(String) },
    })
    await call('PATCH', `${things}/held`, { metadata: { finalizers: null } })
    expect((await call('GET', `${definitions}/things.example.com`)).status).toBe(404)
    expect((await call('GET', things)).status).toBe(404)
    expect(server.store.collection('things.example.com').size).toBe(0)
  })
})

describe('a namespace', () => {
  test('deleting a namespace deletes everything in it', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    await call('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'foo' },
    })
    const path = things.replace('default', 'foo')
    await call('POST', path, thing('a'))
    await call('POST', path, thing('held', {}, { finalizers: ['example.com/hold'] }))
    expect((await call('DELETE', '/api/v1/namespaces/foo')).body).toMatchObject({
      status: { phase: 'Terminating' },
    })
    expect((await call('GET', path)).body).toMatchObject({ items: [{ metadata: { name: 'held' } }] })
    expect(await call('POST', path, thing('late'))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('because it is being terminated') },
    })
    await call('PATCH', `${path}/held`, { metadata: { finalizers: null } })
    expect((await call('GET', '/api/v1/namespaces/foo')).status).toBe(404)
  })

  test('an empty namespace is deleted at once, and system namespaces cannot be deleted', async () => {
    const { call } = testServer()
    await call('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'foo' },
    })
    await call('DELETE', '/api/v1/namespaces/foo')
    expect((await call('GET', '/api/v1/namespaces/foo')).status).toBe(404)
    expect((await call('DELETE', '/api/v1/namespaces/default')).status).toBe(403)
  })
})

describe('owners', () => {
  const withOwner = async (propagationPolicy?: string, finalizers: readonly string[] = []) => {
    const { call } = testServer({ objects: [thingDefinition()] })
    const { body } = await call('POST', things, thing('owner'))
    const { uid } = (body as { metadata: { uid: string } }).metadata
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Thing', name: 'owner', uid }]
    await call('POST', things, thing('dependent', {}, { ownerReferences, finalizers }))
    await call('DELETE', `${things}/owner`, propagationPolicy ? { propagationPolicy } : undefined)
    const status = async (name: string) => (await call('GET', `${things}/${name}`)).status
    return { call, status }
  }

  test('deleting an owner deletes its dependents', async () => {
    const { status } = await withOwner()
    expect([await status('owner'), await status('dependent')]).toEqual([404, 404])
  })

  test('an owner in foreground deletion waits for its dependents', async () => {
    const { call, status } = await withOwner('Foreground', ['example.com/hold'])
    expect([await status('owner'), await status('dependent')]).toEqual([200, 200])
    await call('PATCH', `${things}/dependent`, { metadata: { finalizers: null } })
    expect([await status('owner'), await status('dependent')]).toEqual([404, 404])
  })

  test('deleting an owner orphans its dependents on request', async () => {
    const { call, status } = await withOwner('Orphan')
    expect(await status('owner')).toBe(404)
    const { body } = await call('GET', `${things}/dependent`)
    expect(body).not.toHaveProperty('metadata.ownerReferences')
  })
})

describe('deletion protection', () => {
  const definition = (plural: string, kind: string) =>
    thingDefinition(
      {},
      { group: 'extensions.gardener.cloud', names: { plural, kind } },
      { name: `${plural}.extensions.gardener.cloud` },
    )
  const records = '/apis/extensions.gardener.cloud/v1/namespaces/default/dnsrecords'
  const record = { apiVersion: 'extensions.gardener.cloud/v1', kind: 'DNSRecord', metadata: { name: 'a' } }
  const confirmed = { metadata: { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } } }

  test('a deletion requires a confirmation, for single objects and for collections', async () => {
    const { call } = testServer({ objects: [definition('dnsrecords', 'DNSRecord')] })
    await call('POST', records, record)
    for (const path of [`${records}/a`, records]) {
      expect(await call('DELETE', path)).toMatchObject({
        status: 403,
        body: {
          message:
            'admission webhook "cr-deletion-protection.resources.gardener.cloud" denied the request: must have a "confirmation.gardener.cloud/deletion" annotation to delete',
        },
      })
    }
    await call('PATCH', `${records}/a`, confirmed)
    expect((await call('DELETE', `${records}/a`)).status).toBe(200)
  })

  test('a protected object blocks the deletion of its namespace until the confirmation', async () => {
    const { call } = testServer({ objects: [definition('dnsrecords', 'DNSRecord')] })
    const path = records.replace('default', 'foo')
    await call('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'foo' },
    })
    await call('POST', path, record)
    await call('DELETE', '/api/v1/namespaces/foo')
    expect((await call('GET', `${path}/a`)).body).not.toHaveProperty('metadata.deletionTimestamp')
    await call('PATCH', `${path}/a`, confirmed)
    expect((await call('GET', '/api/v1/namespaces/foo')).status).toBe(404)
  })

  test('protection does not cover bastions, can be disabled, and covers definitions with the label', async () => {
    const bastions = records.replace('dnsrecords', 'bastions')
    const open = testServer({ objects: [definition('bastions', 'Bastion')] })
    await open.call('POST', bastions, { ...record, kind: 'Bastion' })
    expect((await open.call('DELETE', `${bastions}/a`)).status).toBe(200)

    const without = testServer({
      objects: [definition('dnsrecords', 'DNSRecord')],
      deletionProtection: false,
    })
    await without.call('POST', records, record)
    expect((await without.call('DELETE', `${records}/a`)).status).toBe(200)

    const labels = { 'gardener.cloud/deletion-protected': 'true' }
    const guarded = testServer({ objects: [thingDefinition({}, {}, { labels })] })
    expect((await guarded.call('DELETE', `${definitions}/things.example.com`)).status).toBe(403)
  })
})
