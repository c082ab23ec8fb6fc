import { describe, expect, test } from 'vitest'
import { testServer, thing, thingDefinition, things } from './api-server-fixture.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

describe('a CustomResourceDefinition', () => {
  test('is served as soon as it is created, and says so', async () => {
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

  test('that is wrong names its faults', async () => {
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

  test('serves an object in all of its versions', async () => {
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

  test('takes its objects with it when it goes, and ends their watches', async () => {
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
  test('goes with everything in it', async () => {
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

  test('that is empty goes at once, and those of the system stay', async () => {
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

  test('take their dependents with them', async () => {
    const { status } = await withOwner()
    expect([await status('owner'), await status('dependent')]).toEqual([404, 404])
  })

  test('in the foreground wait for them', async () => {
    const { call, status } = await withOwner('Foreground', ['example.com/hold'])
    expect([await status('owner'), await status('dependent')]).toEqual([200, 200])
    await call('PATCH', `${things}/dependent`, { metadata: { finalizers: null } })
    expect([await status('owner'), await status('dependent')]).toEqual([404, 404])
  })

  test('leave orphans when they are told to', async () => {
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

  test('asks for a confirmation, one by one and for all at once', async () => {
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

  test('holds the namespace until then', async () => {
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

  test('does not cover bastions, can be left out, and covers definitions with the label', async () => {
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

describe('writes', () => {
  test('on trial change nothing', async () => {
    const { call, server } = testServer({ objects: [thingDefinition()] })
    const version = server.store.version()
    expect((await call('POST', `${things}?dryRun=All`, thing('a'))).status).toBe(201)
    expect((await call('GET', `${things}/a`)).status).toBe(404)
    expect(server.store.version()).toBe(version)
    await call('POST', things, thing('a'))
    const patched = await call('PATCH', `${things}/a?dryRun=All`, { spec: { x: 1 } })
    expect(patched.body).toMatchObject({ metadata: { generation: 2 }, spec: { x: 1 } })
    await call('DELETE', `${things}/a?dryRun=All`)
    expect((await call('GET', `${things}/a`)).body).toMatchObject({ metadata: { generation: 1 } })
  })

  const strict = { schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } } }

  test('with unknown fields are warned of, refused or let pass, as the client likes', async () => {
    const { call } = testServer({ objects: [thingDefinition(strict)] })
    const body = (name: string) => thing(name, { spec: { typo: 1 } })
    expect((await call('POST', things, body('a'))).headers.warning).toBe(
      String.raw`299 - "unknown field \"spec.typo\""`,
    )
    expect(
      (await call('POST', `${things}?fieldValidation=Ignore`, body('b'))).headers.warning,
    ).toBeUndefined()
    expect(await call('POST', `${things}?fieldValidation=Strict`, body('c'))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('strict decoding error: unknown field "spec.typo"') },
    })
  })

  const bad: readonly (readonly [string, object | string, number, string])[] = [
    [
      'text that is no JSON',
      '{',
      400,
      "the object provided is unrecognized (must be of type Thing): couldn't get version/kind",
    ],
    ['no object', '[]', 400, 'the object provided is unrecognized (must be of type Thing)'],
    ['no kind', { apiVersion: 'example.com/v1', metadata: { name: 'a' } }, 400, "Object 'Kind' is missing"],
    ['another kind', { ...thing('a'), kind: 'Other' }, 422, 'kind: Invalid value: "Other": must be Thing'],
    ['another version', { ...thing('a'), apiVersion: 'v1' }, 400, 'does not match the expected API version'],
    ['another namespace', thing('a', {}, { namespace: 'other' }), 400, 'does not match the namespace'],
    ['no name', thing(''), 422, 'name or generateName is required'],
    ['a bad name', thing('A_b'), 422, 'metadata.name: Invalid value: "A_b"'],
    [
      'a label that is no text',
      thing('a', {}, { labels: { a: 1 } }),
      400,
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    ['a bad label', thing('a', {}, { labels: { a: 'b c' } }), 422, 'metadata.labels: Invalid value: "b c"'],
    ['a bad finalizer', thing('a', {}, { finalizers: ['a/b/c'] }), 422, 'metadata.finalizers'],
    [
      'huge annotations',
      thing('a', {}, { annotations: { a: 'x'.repeat(300_000) } }),
      422,
      'metadata.annotations',
    ],
    [
      'a resource version',
      thing('a', {}, { resourceVersion: '5' }),
      500,
      'resourceVersion should not be set',
    ],
  ]

  test.each(bad)('with %s are refused', async (_, body, status, message) => {
    const { call } = testServer({ objects: [thingDefinition()] })
    expect(await call('POST', things, body)).toMatchObject({
      status,
      body: { kind: 'Status', message: expect.stringContaining(message) },
    })
  })

  test('of another content type are refused with what is understood', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    await call('POST', things, thing('a'))
    const type = { 'content-type': 'application/strategic-merge-patch+json' }
    expect(await call('PATCH', `${things}/a`, {}, type)).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining('application/merge-patch+json') },
    })
  })

  test('may be YAML', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    const yaml = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n'
    expect((await call('POST', things, yaml, { 'content-type': 'application/yaml' })).status).toBe(201)
  })

  test('a PUT names the object of its path and a version', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    await call('POST', things, thing('a'))
    expect((await call('PUT', `${things}/b`, thing('b'))).status).toBe(404)
    expect((await call('PUT', `${things}/a`, thing('b'))).status).toBe(400)
    expect(await call('PUT', `${things}/a`, thing('a'))).toMatchObject({
      status: 422,
      body: {
        message: expect.stringContaining('metadata.resourceVersion: Invalid value: 0: must be specified'),
      },
    })
  })

  test('delete all that is selected', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    for (const name of ['a', 'b']) await call('POST', things, thing(name, {}, { labels: { name } }))
    await call('DELETE', `${things}?labelSelector=name%3Da`)
    expect((await call('GET', things)).body).toMatchObject({ items: [{ metadata: { name: 'b' } }] })
  })
})

describe('built-in kinds', () => {
  const secrets = '/api/v1/namespaces/default/secrets'

  test('a Secret keeps texts as data and has a type', async () => {
    const { call } = testServer()
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } }
    const { body } = await call('POST', secrets, secret)
    expect(body).toMatchObject({ data: { a: 'Yg==' }, type: 'Opaque' })
    expect(body).not.toHaveProperty('stringData')
    expect(body).not.toHaveProperty('metadata.generation')
    expect(await call('PATCH', `${secrets}/s`, { type: 'other' })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('type: Invalid value: "other": field is immutable') },
    })
  })

  test('a Secret with other than base64 in it is no Secret', async () => {
    const { call } = testServer()
    for (const data of [{ a: '%' }, { a: 1 }]) {
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data }
      expect(await call('POST', secrets, secret)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('cannot be handled as a Secret') },
      })
    }
  })

  test('an immutable ConfigMap stays', async () => {
    const { call } = testServer()
    const path = '/api/v1/namespaces/default/configmaps'
    const metadata = { name: 'c' }
    await call('POST', path, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { a: 'b' },
      immutable: true,
    })
    expect((await call('PATCH', `${path}/c`, { data: { a: 'c' } })).status).toBe(422)
    expect((await call('PATCH', `${path}/c`, { metadata: { labels: { a: 'b' } } })).status).toBe(200)
  })

  test('may be replaced without a version', async () => {
    const { call } = testServer()
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'Yg==' } }
    await call('POST', secrets, secret)
    expect((await call('PUT', `${secrets}/s`, { ...secret, data: {} })).status).toBe(200)
  })
})

describe('reads', () => {
  test('of a version that does not exist yet are too early', async () => {
    const { call, server } = testServer({ objects: [thingDefinition()] })
    expect(await call('GET', `${things}?resourceVersion=999`)).toMatchObject({
      status: 504,
      headers: { 'retry-after': '1' },
      body: { message: `Timeout: Too large resource version: 999, current: ${server.store.version()}` },
    })
  })

  test('of an exact version show the past', async () => {
    const { call, server } = testServer({ objects: [thingDefinition()] })
    await call('POST', things, thing('a'))
    const version = server.store.version()
    await call('DELETE', `${things}/a`)
    const exact = `${things}?resourceVersion=${version}&resourceVersionMatch=Exact`
    expect((await call('GET', exact)).body).toMatchObject({ items: [{ metadata: { name: 'a' } }] })
    server.compact()
    expect((await call('GET', exact)).status).toBe(410)
  })

  test('with an expired token can go on, at the price of consistency', async () => {
    const { call, server } = testServer({ objects: [thingDefinition()] })
    for (const name of ['a', 'b', 'c']) await call('POST', things, thing(name))
    const tokenOf = (body: unknown) => (body as { metadata: { continue: string } }).metadata.continue
    const first = await call('GET', `${things}?limit=1`)
    await call('DELETE', `${things}/b`)
    server.compact()
    const expired = await call('GET', `${things}?limit=1&continue=${tokenOf(first.body)}`)
    expect(expired.status).toBe(410)
    const rest = await call('GET', `${things}?limit=1&continue=${tokenOf(expired.body)}`)
    expect(rest.body).toMatchObject({ items: [{ metadata: { name: 'c' } }] })
  })

  test('with a token of another server are refused', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    expect((await call('GET', `${things}?continue=abc`)).status).toBe(400)
  })

  test('of paths that are not served say so as kube-apiserver does', async () => {
    const { call } = testServer()
    for (const path of ['/apis/example.com/v1/things', '/apis/nothing', '/nothing', '/api/v2/pods']) {
      expect(await call('GET', path), path).toMatchObject({ status: 404, body: '404 page not found\n' })
    }
  })

  test('as a table have the columns of the definition', async () => {
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      {
        name: 'Ready',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        priority: 1,
      },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ]
    const { call, clock } = testServer({ objects: [thingDefinition({ additionalPrinterColumns })] })
    await call('POST', things, thing('a', { spec: { size: 3 } }))
    await call('PATCH', `${things}/a/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } })
    await clock.advance(312_000)
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
    expect((await call('GET', things, undefined, { accept })).body).toMatchObject({
      kind: 'Table',
      columnDefinitions: [
        { name: 'Name', priority: 0 },
        { name: 'Size', type: 'integer' },
        { name: 'Ready', priority: 1 },
        { name: 'Age' },
      ],
      rows: [{ cells: ['a', 3, 'True', '5m12s'], object: { kind: 'PartialObjectMetadata' } }],
    })
  })

  test('as metadata alone leave the rest out', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    await call('POST', things, thing('a', { spec: { size: 3 } }))
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
    const { body } = await call('GET', things, undefined, { accept })
    expect(body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    })
    expect(JSON.stringify(body)).not.toContain('size')
  })
})
