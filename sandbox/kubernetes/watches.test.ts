import { describe, expect, test } from 'vitest'
import { type ApiResponse, Disconnect } from './requests/api-request.ts'
import { testServer, thing, thingDefinition, things } from './testing/api-server-fixture.ts'

const typesOf = (lines: readonly { readonly type: string }[]): readonly string[] =>
  lines.map(line => line.type)

describe('a watch', () => {
  test('a watch gets a bookmark every minute, with the version of the whole server', async () => {
    const { call, watch, clock, server } = testServer({ objects: [thingDefinition()] })
    const seen = await watch(
      `${things}?watch=true&allowWatchBookmarks=true&resourceVersion=${server.store.version()}`,
    )
    await clock.advance(59_000)
    expect(await seen()).toEqual([])
    await call('POST', things.replace('default', 'kube-system'), thing('elsewhere'))
    await clock.advance(1_000)
    expect(await seen()).toMatchObject([
      {
        type: 'BOOKMARK',
        object: { kind: 'Thing', metadata: { resourceVersion: String(server.store.version()) } },
      },
    ])
    await clock.advance(120_000)
    expect(typesOf(await seen())).toEqual(['BOOKMARK', 'BOOKMARK'])
  })

  test('a watch without bookmarks gets none', async () => {
    const { watch, clock } = testServer({ objects: [thingDefinition()] })
    const seen = await watch(`${things}?watch=true`)
    await clock.advance(600_000)
    expect(await seen()).toEqual([])
  })

  test('a watch from a version outside the window is expired, a newer one continues', async () => {
    const { call, watch, server } = testServer({ objects: [thingDefinition()], eventWindow: 5 })
    const start = server.store.version()
    await call('POST', things, thing('a'))
    for (let size = 0; size < 20; size++) await call('PATCH', `${things}/a`, { spec: { size } })
    const old = await watch(`${things}?watch=true&resourceVersion=${start}`)
    expect(await old()).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ])
    const recent = await watch(`${things}?watch=true&resourceVersion=${server.store.version() - 3}`)
    expect(typesOf(await recent())).toEqual(['MODIFIED', 'MODIFIED', 'MODIFIED'])
  })

  test('a watch as a table sends its columns once', async () => {
    const { call, watch } = testServer({ objects: [thingDefinition()] })
    const seen = await watch(`${things}?watch=true`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    await call('POST', things, thing('a'))
    await call('POST', things, thing('b'))
    expect(await seen()).toMatchObject([
      { object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, { name: 'Age' }], rows: [{}] } },
      { object: { kind: 'Table', columnDefinitions: [], rows: [{ cells: ['b', '0s'] }] } },
    ])
  })

  test('a watch leaves no timer and no listener behind', async () => {
    const { server, clock } = testServer({ objects: [thingDefinition()] })
    for (const end of ['drop', 'return', 'timeout'] as const) {
      const path = `${things}?watch=true&allowWatchBookmarks=true&timeoutSeconds=10`
      const { body } = await server.handle({ method: 'GET', path, headers: {} })
      if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('this is no watch')
      expect(clock.pending()).not.toEqual([])
      if (end === 'drop') server.dropWatches()
      else if (end === 'return') await body[Symbol.asyncIterator]().return?.()
      else await clock.advance(10_000)
      expect(clock.pending(), end).toEqual([])
    }
  })

  test('a dropped watch ends cleanly or by a broken connection', async () => {
    const { server } = testServer({ objects: [thingDefinition()] })
    const open = async () =>
      (await server.handle({ method: 'GET', path: `${things}?watch=true`, headers: {} })).body
    const read = async (body: ApiResponse['body']) => {
      if (typeof body !== 'string' && !(body instanceof Uint8Array)) for await (const _ of body);
      return 'ended'
    }
    const closed = read(await open())
    server.dropWatches('close')
    expect(await closed).toBe('ended')
    const broken = read(await open())
    server.dropWatches('disconnect')
    await expect(broken).rejects.toBeInstanceOf(Disconnect)
  })
})
