import { expect, test } from 'vitest'
import { thing, thingDefinition, things } from '../testing/api-server-fixture.ts'
import { thingResource, viewWorld } from '../testing/view-fixture.ts'

const key = (name: string) => ({ namespace: 'default', name })

test('objects return with uid, version and status, and later objects are gone', async () => {
  const { server, put, remove, listed, kubernetes, call } = viewWorld()
  await put('changed', 1)
  await put('deleted', 1)
  await call('PATCH', `${things}/changed/status`, { status: { ready: true } })
  const backup = server.backUp()
  const before = [
    await kubernetes.get(thingResource, key('changed')),
    await kubernetes.get(thingResource, key('deleted')),
  ]
  await put('changed', 2)
  await call('PATCH', `${things}/changed/status`, { status: { ready: false } })
  await put('created', 1)
  await remove('deleted')
  await put('deleted', 2)
  server.restore(backup)
  expect(await listed()).toEqual(['changed=1', 'deleted=1'])
  expect([
    await kubernetes.get(thingResource, key('changed')),
    await kubernetes.get(thingResource, key('deleted')),
  ]).toEqual(before)
  expect((await kubernetes.list(thingResource)).resourceVersion).toBe(String(backup.version))
  // A backup can be restored again.
  await put('changed', 3)
  server.restore(backup)
  expect(await listed()).toEqual(['changed=1', 'deleted=1'])
})

test('versions continue after the backup, and a watch from a later one is silent until it is reached', async () => {
  const { server, put, watched, clock } = viewWorld()
  await put('a', 1)
  const backup = server.backUp()
  await put('a', 2)
  await put('a', 3)
  const open = watched()
  await open()
  server.restore(backup)
  expect(await open()).toEqual(['BROKEN'])
  const early = watched(`&resourceVersion=${backup.version - 1}`)
  expect(await early()).toEqual(['ERROR 410', 'END'])
  const resumed = watched(`&resourceVersion=${backup.version + 2}&allowWatchBookmarks=true`)
  await put('a', 4)
  await put('a', 5)
  await clock.advance(30_000)
  expect(await resumed()).toEqual([])
  expect(server.store.version()).toBe(backup.version + 2)
  await put('a', 6)
  expect(await resumed()).toEqual(['MODIFIED a=6'])
})

test('bookmarks of a watch from a later version start when it is reached', async () => {
  const { server, put, watched, clock } = viewWorld()
  const backup = server.backUp()
  await put('a', 1)
  server.restore(backup)
  const seen = watched(`&resourceVersion=${backup.version + 1}&allowWatchBookmarks=true`)
  await clock.advance(60_000)
  expect(await seen()).toEqual([])
  await put('a', 1)
  await clock.advance(60_000)
  expect(await seen()).toEqual(['BOOKMARK undefined=undefined'])
})

test('with bumped revisions, watches and exact lists from before get 410', async () => {
  const { server, put, watched, listed } = viewWorld()
  await put('a', 1)
  const backup = server.backUp()
  await put('a', 2)
  server.restore(backup, { bumpRevision: 1_000 })
  expect(server.store.version()).toBe(backup.version + 1_000)
  expect(await watched(`&resourceVersion=${backup.version + 1}`)()).toEqual(['ERROR 410', 'END'])
  expect(await listed(`?resourceVersion=${backup.version}&resourceVersionMatch=Exact`)).toEqual(['410'])
  const seen = watched(`&resourceVersion=${server.store.version()}`)
  await put('a', 3)
  expect(await seen()).toEqual(['MODIFIED a=3'])
  expect(server.store.collection('things.example.com').listAt(backup.version + 1_000)).toHaveLength(1)
})

test('definitions that were created or deleted after the backup follow it', async () => {
  const { server, call } = viewWorld()
  const empty = server.backUp()
  const other = thingDefinition(
    {},
    { names: { plural: 'others', kind: 'Other' } },
    { name: 'others.example.com' },
  )
  await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', other)
  const full = server.backUp()
  const others = things.replace('things', 'others')
  expect((await call('GET', others)).status).toBe(200)
  server.restore(empty)
  expect((await call('GET', others)).status).toBe(404)
  server.restore(full)
  expect((await call('GET', others)).status).toBe(200)
})

test('observers of the store see the differences, and the controllers act on them', async () => {
  const { server, put, remove, call } = viewWorld()
  await put('same', 1)
  await put('deleted', 1)
  const backup = server.backUp()
  await remove('deleted')
  const owner = (await call('POST', things, thing('owner'))).body as { metadata: { uid: string } }
  const reference = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'owner', uid: owner.metadata.uid }
  await call('POST', things, thing('owned', {}, { ownerReferences: [reference] }))
  const seen: string[] = []
  server.store.subscribe((_, { type, key: name }) => seen.push(`${type} ${name}`))
  server.restore(backup)
  expect(seen.toSorted()).toEqual(['ADDED default/deleted', 'DELETED default/owned', 'DELETED default/owner'])
})

test('a restore ends the pasts of all views', async () => {
  const { server, view, put, listed, watched } = viewWorld({ strictness: 'any' })
  await put('a', 1)
  const backup = server.backUp()
  view.showPast({ version: backup.version - 1 })
  view.showPast({ lagMs: 1_000 })
  await put('a', 2)
  view.cutWatches('expire')
  server.restore(backup)
  expect(await listed()).toEqual(['a=1'])
  expect(await watched(`&resourceVersion=${backup.version}`)()).toEqual([])
})
