import { describe, expect, test } from 'vitest'
import { createKubernetes, readText } from '../../../shared/kubernetes/kubernetes.ts'
import { things } from '../testing/api-server-fixture.ts'
import { runPending, thingResource, viewWorld } from '../testing/view-fixture.ts'

const key = (name: string) => ({ namespace: 'default', name })
const resource = 'things.example.com'

describe('gets and lists of the past, with any strictness', () => {
  test('they return the state of a version until released, with the version', async () => {
    const { server, view, put, remove, listed, kubernetes } = viewWorld({ strictness: 'any' })
    await put('changed', 1)
    await put('deleted', 1)
    const version = server.store.version()
    await put('changed', 2)
    await put('created', 1)
    await remove('deleted')
    const release = view.showPast({ version })
    expect(await listed()).toEqual(['changed=1', 'deleted=1'])
    expect((await kubernetes.list(thingResource)).resourceVersion).toBe(String(version))
    expect((await kubernetes.get(thingResource, key('changed')))?.spec).toEqual({ size: 1 })
    expect((await kubernetes.get(thingResource, key('deleted')))?.spec).toEqual({ size: 1 })
    expect(await kubernetes.get(thingResource, key('created'))).toBeUndefined()
    await put('changed', 3)
    expect(await listed()).toEqual(['changed=1', 'deleted=1'])
    release()
    expect(await listed()).toEqual(['changed=3', 'created=1'])
  })

  test('without a version they stand still until a moment of the clock', async () => {
    const { clock, view, put, listed } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    view.showPast({ until: clock.now() + 5_000 })
    await put('a', 2)
    await clock.advance(4_999)
    expect(await listed()).toEqual(['a=1'])
    await clock.advance(1)
    expect(await listed()).toEqual(['a=2'])
    expect(clock.pending()).toEqual([])
  })

  test('the past of one object leaves the others in the present', async () => {
    const { view, put, listed } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    await put('b', 1)
    view.showPast({ resource, ...key('a') })
    await put('a', 2)
    await put('b', 2)
    expect(await listed()).toEqual(['a=1', 'b=2'])
  })

  test('the past of another resource changes nothing', async () => {
    const { view, put, listed } = viewWorld({ strictness: 'any' })
    view.showPast({ resource: 'secrets' })
    await put('a', 1)
    expect(await listed()).toEqual(['a=1'])
  })

  test('of several pasts of an object, the oldest applies', async () => {
    const { server, view, put, listed, kubernetes } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    const old = server.store.version()
    await put('a', 2)
    view.showPast({})
    view.showPast({ version: old, resource })
    await put('a', 3)
    expect(await listed()).toEqual(['a=1'])
    expect((await kubernetes.get(thingResource, key('a')))?.spec).toEqual({ size: 1 })
  })

  test('the pages of a list show the past of its first page', async () => {
    const { view, put, kubernetes } = viewWorld({ strictness: 'any' })
    for (const name of ['a', 'b', 'c']) await put(name, 1)
    view.showPast({})
    for (const name of ['a', 'b', 'c']) await put(name, 2)
    const first = await kubernetes.list(thingResource, { limit: 2 })
    const second = await kubernetes.list(thingResource, { limit: 2, continue: first.continue ?? '' })
    expect([...first.items, ...second.items].map(({ spec }) => spec)).toEqual(
      [1, 1, 1].map(size => ({ size })),
    )
  })

  test('writes act on the present, and a lock with an old version is lost', async () => {
    const { view, put, listed, kubernetes } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    view.showPast({})
    await put('a', 2)
    const stale = await kubernetes.get(thingResource, key('a'))
    if (!stale) throw new Error('there is no object')
    await expect(kubernetes.replace(thingResource, stale)).rejects.toMatchObject({ status: 409 })
    expect((await kubernetes.patch(thingResource, key('a'), { spec: { size: 3 } })).spec).toEqual({ size: 3 })
    expect(await listed()).toEqual(['a=1'])
  })

  test('a version outside the event window is refused', () => {
    const { server, view } = viewWorld({ strictness: 'any' })
    server.compact()
    expect(() => view.showPast({ version: 3 })).toThrow(RangeError)
    expect(() => view.showPast({ version: 1_000 })).toThrow(RangeError)
  })

  test('a past continues after its events have left the event window', async () => {
    const { server, view, put, listed } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    view.showPast({})
    await put('a', 2)
    server.compact()
    expect(await listed()).toEqual(['a=1'])
  })
})

describe('strictness possible', () => {
  test('only gets and lists with a version show the past', async () => {
    const { server, view, put, listed, kubernetes } = viewWorld()
    await put('a', 1)
    const version = server.store.version()
    view.showPast({})
    await put('a', 2)
    expect(await listed()).toEqual(['a=2'])
    expect((await kubernetes.get(thingResource, key('a')))?.spec).toEqual({ size: 2 })
    expect(await listed('?resourceVersion=0')).toEqual(['a=1'])
    expect(await listed(`?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`)).toEqual(['a=1'])
    expect(await listed(`?resourceVersion=${version + 1}&resourceVersionMatch=NotOlderThan`)).toEqual(['504'])
    expect(await listed(`?resourceVersion=${version + 1}&resourceVersionMatch=Exact`)).toEqual(['a=2'])
  })

  test('a get with a version is never older than it', async () => {
    const { server, view, put } = viewWorld()
    await put('a', 1)
    view.showPast({})
    await put('a', 2)
    const sizeAt = async (version: number) => {
      const path = `${things}/a?resourceVersion=${version}`
      const { body } = await view.transport({ method: 'GET', path, headers: {} })
      return JSON.parse(await readText(body)).spec.size
    }
    expect(await sizeAt(0)).toBe(1)
    expect(await sizeAt(server.store.version())).toBe(2)
  })

  test('the past of single objects and lost events are refused', () => {
    const { view } = viewWorld()
    expect(() => view.showPast({ resource, name: 'a' })).toThrow(TypeError)
    expect(() => view.skipEvents({})).toThrow(TypeError)
  })

  test('a watch never goes back before the requested version', async () => {
    const { server, view, put, watched } = viewWorld()
    await put('a', 1)
    const release = view.showPast({})
    await put('a', 2)
    const seen = watched(`&resourceVersion=${server.store.version()}`)
    release()
    await put('a', 3)
    expect(await seen()).toEqual(['MODIFIED a=3'])
  })

  test('a watch without a version starts with the present', async () => {
    const { view, put, watched } = viewWorld()
    await put('a', 1)
    view.showPast({})
    await put('a', 2)
    expect(await watched()()).toEqual(['ADDED a=2'])
    expect(await watched('&resourceVersion=0')()).toEqual(['ADDED a=1'])
  })
})

describe('watches', () => {
  test('events arrive late but in order, also after a resumption', async () => {
    const { server, clock, view, put, remove, watched } = viewWorld()
    await put('a', 1)
    const version = server.store.version()
    const seen = watched(`&resourceVersion=${version}`)
    await runPending()
    view.showPast({ to: 'watches', until: clock.now() + 5_000 })
    await put('a', 2)
    await put('b', 1)
    await remove('a')
    expect(await seen()).toEqual([])
    view.cutWatches()
    expect(await seen()).toEqual(['END'])
    const resumed = watched(`&resourceVersion=${version}`)
    await clock.advance(4_999)
    expect(await resumed()).toEqual([])
    await clock.advance(1)
    expect(await resumed()).toEqual(['MODIFIED a=2', 'ADDED b=1', 'DELETED a=2'])
  })

  test('a delayed event of one object delays the later events of others', async () => {
    const { view, put, watched } = viewWorld({ strictness: 'any' })
    const seen = watched()
    await runPending()
    const release = view.showPast({ resource, name: 'a' })
    await put('b', 1)
    await put('a', 1)
    await put('b', 2)
    expect(await seen()).toEqual(['ADDED b=1'])
    release()
    expect(await seen()).toEqual(['ADDED a=1', 'MODIFIED b=2'])
  })

  test('a watch that starts in the past shows its objects, and later the changes', async () => {
    const { view, put, remove, watched } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    await put('b', 1)
    const release = view.showPast({})
    await put('a', 2)
    await remove('b')
    const seen = watched()
    expect(await seen()).toEqual(['ADDED a=1', 'ADDED b=1'])
    release()
    expect(await seen()).toEqual(['MODIFIED a=2', 'DELETED b=1'])
  })

  test('bookmarks do not pass a hidden event', async () => {
    const { server, clock, view, put, kubernetes } = viewWorld()
    const bookmarks: string[] = []
    const resourceVersion = String(server.store.version())
    const reading = (async () => {
      for await (const event of kubernetes.watch(thingResource, {
        resourceVersion,
        allowWatchBookmarks: true,
      }))
        if (event.type === 'bookmark') bookmarks.push(event.resourceVersion)
    })()
    await runPending()
    const before = String(server.store.version())
    view.showPast({})
    await put('a', 1)
    await clock.advance(60_000)
    expect(bookmarks).toEqual([before])
    view.release()
    await clock.advance(60_000)
    expect(bookmarks).toEqual([before, String(server.store.version())])
    server.close()
    await reading
  })

  test('the next matching events are lost to all watches, and the later ones arrive', async () => {
    const { view, put, watched } = viewWorld({ strictness: 'any' })
    const [one, other] = [watched(), watched()]
    await runPending()
    view.skipEvents({ resource, name: 'a', times: 2, matches: ({ type }) => type === 'MODIFIED' })
    for (const size of [1, 2, 3, 4]) await put('a', size)
    await put('b', 1)
    expect(await one()).toEqual(['ADDED a=1', 'MODIFIED a=4', 'ADDED b=1'])
    expect(await other()).toEqual(['ADDED a=1', 'MODIFIED a=4', 'ADDED b=1'])
  })

  test('a cut watch resumes, unless its version has expired', async () => {
    const { server, view, put, watched } = viewWorld()
    const version = server.store.version()
    const seen = watched(`&resourceVersion=${version}`)
    await put('a', 1)
    expect(await seen()).toEqual(['ADDED a=1'])
    view.cutWatches('disconnect')
    expect(await seen()).toEqual(['BROKEN'])
    expect(await watched(`&resourceVersion=${version}`)()).toEqual(['ADDED a=1'])
    view.cutWatches('expire')
    expect(await watched(`&resourceVersion=${version}`)()).toEqual(['ERROR 410', 'END'])
    expect(await watched(`&resourceVersion=${version + 1}`)()).toEqual([])
  })

  test('with any strictness, a watch that reconnects to a server that lags sees older versions again', async () => {
    const { server, view, put, watched } = viewWorld({ strictness: 'any' })
    await put('a', 1)
    const version = server.store.version()
    await put('a', 2)
    await put('a', 3)
    const release = view.showPast({ version })
    const seen = watched(`&resourceVersion=${server.store.version()}`)
    expect(await seen()).toEqual([])
    release()
    expect(await seen()).toEqual(['MODIFIED a=2', 'MODIFIED a=3'])
  })

  test('a watch leaves no timer and no listener behind', async () => {
    const { clock, view, watched } = viewWorld()
    view.showPast({ lagMs: 1_000 })
    const seen = watched('&timeoutSeconds=10&allowWatchBookmarks=true')
    await runPending()
    await clock.advance(10_000)
    expect((await seen()).at(-1)).toBe('END')
    expect(clock.pending()).toEqual([])
  })
})

describe('two API servers of which one lags', () => {
  test('reads and watches of the one follow, and writes to both are in the store at once', async () => {
    const { server, clock, view: behind, put, listed, watched, kubernetes } = viewWorld({ strictness: 'any' })
    const ahead = createKubernetes({ transport: server.view().transport, clock })
    behind.showPast({ lagMs: 5_000 })
    const seen = watched()
    await put('a', 1)
    await clock.advance(3_000)
    await kubernetes.patch(thingResource, key('a'), { spec: { size: 2 } })
    expect((await ahead.get(thingResource, key('a')))?.spec).toEqual({ size: 2 })
    expect(await listed()).toEqual([])
    await clock.advance(2_000)
    expect(await listed()).toEqual(['a=1'])
    expect(await seen()).toEqual(['ADDED a=1'])
    await clock.advance(3_000)
    expect(await listed()).toEqual(['a=2'])
    expect(await seen()).toEqual(['MODIFIED a=2'])
    behind.release()
    expect(clock.pending().length).toBe(1)
  })

  test('requests of views are in the log of the server', async () => {
    const { server, listed } = viewWorld({ strictness: 'any' })
    server.requests.clear()
    await listed()
    expect(server.requests.entries()).toMatchObject([{ verb: 'list', resource, status: 200 }])
  })
})
