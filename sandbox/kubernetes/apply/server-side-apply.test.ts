import { describe, expect, test } from 'vitest'
import { testServer, thing, thingDefinition, things } from '../testing/api-server-fixture.ts'

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        color: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        words: { type: 'array', items: { type: 'string' } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, count: { type: 'integer' } } },
        },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const start = () => {
  const { call } = testServer({ objects: [thingDefinition({ schema: { openAPIV3Schema: schema } })] })
  const apply = (manager: string, spec: object, force = false) =>
    call('PATCH', `${things}/a?fieldManager=${manager}&force=${force}`, thing('a', { spec }), {
      'content-type': 'application/apply-patch+yaml',
    })
  return { call, apply }
}

describe('server-side apply', () => {
  test('an apply removes fields that its manager no longer applies, and no fields of others', async () => {
    const { call, apply } = start()
    await apply('one', { size: 1, color: 'red', tags: ['x', 'y'] })
    await call('PATCH', `${things}/a?fieldManager=other`, { spec: { words: ['w'] } })
    expect((await apply('one', { size: 1, tags: ['y'] })).body).toMatchObject({
      spec: { size: 1, tags: ['y'], words: ['w'] },
    })
    expect((await apply('one', { size: 1 })).body).not.toHaveProperty('spec.color')
  })

  test('an apply merges sets and keyed lists and replaces other lists', async () => {
    const { apply } = start()
    await apply('one', { tags: ['x'], parts: [{ name: 'p', count: 1 }] })
    const { body } = await apply('two', { tags: ['y'], parts: [{ name: 'q', count: 2 }], words: ['w'] })
    expect(body).toMatchObject({
      spec: {
        tags: ['x', 'y'],
        parts: [
          { name: 'p', count: 1 },
          { name: 'q', count: 2 },
        ],
        words: ['w'],
      },
    })
  })

  test('a different value for a field of another manager is a conflict, the same value is shared', async () => {
    const { apply } = start()
    await apply('one', { size: 1, parts: [{ name: 'p', count: 1 }] })
    expect((await apply('two', { size: 1 })).status).toBe(200)
    expect(await apply('two', { size: 2, parts: [{ name: 'p', count: 2 }] })).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        message:
          'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.size\n- .spec.parts[name="p"].count',
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.size' }, {}] },
      },
    })
    expect((await apply('two', { size: 2 }, true)).body).toMatchObject({ spec: { size: 2 } })
    expect((await apply('one', { size: 1 })).status).toBe(409)
  })

  test('an updated field belongs to the client that updated it', async () => {
    const { call, apply } = start()
    await apply('one', { size: 1, color: 'red' })
    const { body } = await call('PATCH', `${things}/a?fieldManager=edit`, { spec: { size: 5 } })
    expect(body).toMatchObject({
      metadata: {
        managedFields: [
          { manager: 'one', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:color': {} } } },
          { manager: 'edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:size': {} } } },
        ],
      },
    })
    expect((await apply('one', { size: 1, color: 'red' })).status).toBe(409)
  })

  test('an apply of the status owns only the status', async () => {
    const { call, apply } = start()
    await apply('one', { size: 1 })
    const type = { 'content-type': 'application/apply-patch+yaml' }
    const path = `${things}/a/status?fieldManager=one`
    const { body } = await call('PATCH', path, thing('a', { status: { ready: true } }), type)
    expect(body).toMatchObject({
      spec: { size: 1 },
      status: { ready: true },
      metadata: {
        managedFields: [{ subresource: 'status', fieldsV1: { 'f:status': { 'f:ready': {} } } }, {}],
      },
    })
  })

  test('objects that were never applied have no managed fields', async () => {
    const { call } = start()
    await call('POST', things, thing('a', { spec: { size: 1 } }))
    const { body } = await call('PATCH', `${things}/a`, { spec: { size: 2 } })
    expect(body).not.toHaveProperty('metadata.managedFields')
  })
})
