import { describe, expect, test } from 'vitest'
import { testServer, thing, thingDefinition, things } from './testing/api-server-fixture.ts'

describe('writes', () => {
  test('a dry-run write changes nothing', async () => {
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

  test('a write with unknown fields is warned about, refused or accepted, as the client requests', async () => {
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
    ['no object', '[]', 400, 'the object provided is unrecognized (must be of type Thing)'],
    [
      'huge annotations',
      thing('a', {}, { annotations: { a: 'x'.repeat(300_000) } }),
      422,
      'metadata.annotations',
    ],
  ]

  test.each(bad)('a write with %s is refused', async (_, body, status, message) => {
    const { call } = testServer({ objects: [thingDefinition()] })
    expect(await call('POST', things, body)).toMatchObject({
      status,
      body: { kind: 'Status', message: expect.stringContaining(message) },
    })
  })

  test('a write may be YAML', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    const yaml = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n'
    expect((await call('POST', things, yaml, { 'content-type': 'application/yaml' })).status).toBe(201)
  })

  test('a write in YAML has the values of an API server: on is true, 0600 an octal number, and keys merge', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    const yaml = [
      'apiVersion: example.com/v1',
      'kind: Thing',
      'metadata: {name: a, labels: &labels {a: b}, annotations: {<<: *labels, c: d}}',
      'spec: {isOn: on, mode: 0600}',
    ].join('\n')
    const answer = await call('POST', things, yaml, { 'content-type': 'application/yaml' })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        metadata: { annotations: { a: 'b', c: 'd' } },
        spec: { isOn: true, mode: 0o600 },
      },
    })
  })

  test('a PUT of a missing object is refused', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    expect((await call('PUT', `${things}/b`, thing('b'))).status).toBe(404)
  })

  test('a collection delete removes everything that is selected', async () => {
    const { call } = testServer({ objects: [thingDefinition()] })
    for (const name of ['a', 'b']) await call('POST', things, thing(name, {}, { labels: { name } }))
    await call('DELETE', `${things}?labelSelector=name%3Da`)
    expect((await call('GET', things)).body).toMatchObject({ items: [{ metadata: { name: 'b' } }] })
  })
})

describe('built-in kinds', () => {
  const secrets = '/api/v1/namespaces/default/secrets'

  test('a Secret stores texts as data and has a type', async () => {
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

  test('a Secret with invalid base64 is refused', async () => {
    const { call } = testServer()
    for (const data of [{ a: '%' }, { a: 1 }]) {
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data }
      expect(await call('POST', secrets, secret)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('cannot be handled as a Secret') },
      })
    }
  })

  test('an immutable ConfigMap cannot be changed', async () => {
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

  test('a built-in object can be replaced without a version', async () => {
    const { call } = testServer()
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'Yg==' } }
    await call('POST', secrets, secret)
    expect((await call('PUT', `${secrets}/s`, { ...secret, data: {} })).status).toBe(200)
  })
})

describe('reads', () => {
  test('a read of a future version returns too early', async () => {
    const { call, server } = testServer({ objects: [thingDefinition()] })
    expect(await call('GET', `${things}?resourceVersion=999`)).toMatchObject({
      status: 504,
      headers: { 'retry-after': '1' },
      body: { message: `Timeout: Too large resource version: 999, current: ${server.store.version()}` },
    })
  })

  test('a read of an exact version returns the past', async () => {
    const { call, server } = testServer({ objects: [thingDefinition()] })
    await call('POST', things, thing('a'))
    const version = server.store.version()
    await call('DELETE', `${things}/a`)
    const exact = `${things}?resourceVersion=${version}&resourceVersionMatch=Exact`
    expect((await call('GET', exact)).body).toMatchObject({ items: [{ metadata: { name: 'a' } }] })
    server.compact()
    expect((await call('GET', exact)).status).toBe(410)
  })

  test('a read with an expired token can continue without consistency', async () => {
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

  test('a read of an unserved path fails as in kube-apiserver', async () => {
    const { call } = testServer()
    for (const path of ['/apis/example.com/v1/things', '/apis/nothing', '/nothing', '/api/v2/pods']) {
      expect(await call('GET', path), path).toMatchObject({ status: 404, body: '404 page not found\n' })
    }
  })

  test('a read as a table has the columns of the definition', async () => {
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

  test('a read of metadata omits all other fields', async () => {
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

test('a persistent volume claim is stored and stays Pending, because nothing provisions volumes here', async () => {
  const { call } = testServer()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } }
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec }
  expect((await call('POST', claims, claim)).status).toBe(201)
  expect((await call('GET', `${claims}/data`)).body).toMatchObject({ spec, status: { phase: 'Pending' } })
  await call('PATCH', `${claims}/data/status`, { status: { phase: 'Bound' } })
  await call('PATCH', `${claims}/data`, { metadata: { labels: { a: 'b' } } })
  expect((await call('GET', `${claims}/data`)).body).toMatchObject({ status: { phase: 'Bound' } })
})
