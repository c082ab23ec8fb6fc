import { describe, expect, test } from 'vitest'
import { unusedForMs } from './clean-up.ts'
import { ca, dayMs, namespace, newSeed, rotationAt, server, webhook } from './testing/seed.ts'

const unusedSince = 'trellis.gardener.cloud/unused-since'
const caName = 'ca-provider-aws-controlplane-bdef740c'
const rotation = rotationAt('2026-03-01T10:00:00Z')

describe('the clean-up', () => {
  test('first marks Secrets that pods may still mount, and removes them in a reconcile ten minutes later', async () => {
    const { reconcile, secret, requests, clock, names } = await newSeed()
    const before = await reconcile()
    const [bundle, certificate] = [before.bundle(ca.name).name, before.current(webhook.name).name]
    await reconcile({ rotation })
    expect(requests.slice(-2).sort()).toEqual([`patch ${certificate}`, `patch ${bundle}`].sort())
    expect((await secret(certificate))?.metadata.annotations).toEqual({
      [unusedSince]: '2026-01-01T00:00:00Z',
    })
    await clock.advance(unusedForMs - 1)
    await reconcile({ rotation })
    expect(requests).toHaveLength(1)
    await clock.advance(1)
    await reconcile({ rotation })
    expect(requests.slice(1).sort()).toEqual([`delete ${certificate}`, `delete ${bundle}`].sort())
    expect(await names()).toHaveLength(5)
  })

  test('removes the old CA in the reconcile that completes the rotation, after it marks other Secrets', async () => {
    const { reconcile, requests, names } = await newSeed()
    await reconcile()
    await reconcile({ rotation })
    await reconcile({ rotation: { ...rotation, ignoresOld: true } })
    expect(requests.at(-1)).toBe(`delete ${caName}`)
    expect(await names()).not.toContain(caName)
  })

  test('removes the mark from a Secret that is needed again', async () => {
    const { reconcile, secret, clock } = await newSeed()
    const before = await reconcile()
    const { name } = before.current(server.name)
    const changed = { ...server, dnsNames: ['other'] }
    await reconcile({ configs: [ca, changed, webhook] })
    expect((await secret(name))?.metadata.annotations).toHaveProperty([unusedSince])
    await clock.advance(dayMs)
    const after = await reconcile()
    expect(after.current(server.name).data).toEqual(before.current(server.name).data)
    expect((await secret(name))?.metadata.annotations ?? {}).toEqual({})
    expect(after.lostAuthorities).toEqual([])
  })

  test('removes the Secrets of a deleted config', async () => {
    const { reconcile, clock, names } = await newSeed()
    const { current } = await reconcile()
    await reconcile({ configs: [ca, server] })
    await clock.advance(dayMs)
    await reconcile({ configs: [ca, server] })
    expect(await names()).not.toContain(current(webhook.name).name)
    expect(await names()).toHaveLength(3)
  })

  test.each(['yesterday', '2027-01-01T00:00:00Z'])(
    'replaces a mark with an impossible time: %s',
    async mark => {
      const { reconcile, patch, secret, clock } = await newSeed()
      const { name } = (await reconcile()).current(webhook.name)
      await patch(name, { metadata: { annotations: { [unusedSince]: mark } } })
      await clock.advance(dayMs)
      await reconcile({ rotation })
      expect((await secret(name))?.metadata.annotations).toEqual({ [unusedSince]: '2026-01-02T00:00:00Z' })
    },
  )

  test('skips a Secret that has changed or is gone since it was read', async () => {
    const { managerOf, reconcile, patch, remove, secret, clock } = await newSeed()
    const before = await reconcile()
    await reconcile({ rotation })
    await clock.advance(dayMs)
    const generated = await managerOf({ rotation: { ...rotation, ignoresOld: true } }).generate()
    await patch(caName, { metadata: { annotations: { concurrent: 'write' } } })
    await patch(before.current(webhook.name).name, { metadata: { annotations: { concurrent: 'write' } } })
    await remove(before.current(server.name).name)
    await generated.cleanUp()
    expect(await secret(caName)).toBeDefined()
    expect(await secret(before.current(webhook.name).name)).toBeDefined()
  })

  test('retains a CA while a certificate of it is not marked, so that the CA is not reported as lost', async () => {
    const { managerOf, reconcile, patch, names } = await newSeed()
    const completing = { ...rotation, ignoresOld: true }
    const { name } = (await reconcile({ rotation: undefined })).current(server.name)
    await reconcile({ rotation })
    const generated = await managerOf({ rotation: completing }).generate()
    await patch(name, { metadata: { annotations: { concurrent: 'write' } } })
    await generated.cleanUp()
    expect(await names()).toContain(caName)
    expect((await reconcile({ rotation: completing })).lostAuthorities).toEqual([])
    expect(await names()).not.toContain(caName)
    expect((await reconcile({ rotation: completing })).lostAuthorities).toEqual([])
  })

  test('ignores Secrets without the labels of the identity', async () => {
    const { reconcile, put, secret } = await newSeed()
    await put({ metadata: { name: 'of-a-user' }, data: { 'ca.key': btoa('k') } })
    await put({
      metadata: {
        name: 'of-gardenlet',
        labels: { 'managed-by': 'secrets-manager', 'manager-identity': 'gardenlet' },
      },
      data: { 'ca.key': btoa('k') },
    })
    const { cleanUp } = await reconcile()
    await cleanUp()
    expect(await secret('of-a-user')).toBeDefined()
    expect(await secret('of-gardenlet')).toBeDefined()
  })
})

describe('a deletion', () => {
  test('removes all Secrets of the identity, CAs included, and no others', async () => {
    const { reconcile, managerOf, names, put } = await newSeed()
    await reconcile()
    await reconcile({ rotation })
    await put({ metadata: { name: 'of-a-user' } })
    await managerOf().removeAll()
    expect(await names()).toEqual(['of-a-user'])
    await managerOf().removeAll()
  })

  test('rereads a Secret that changed meanwhile, and removes it if it is still ours', async () => {
    const { reconcile, managerOf, names, watched, patch } = await newSeed()
    const { current } = await reconcile()
    const [ours, theirs] = [current(server.name).name, current(webhook.name).name]
    let changed = false
    const kubernetes: typeof watched = {
      ...watched,
      delete: async (...args) => {
        if (!changed) {
          changed = true
          await patch(ours, { metadata: { annotations: { a: 'b' } } })
          await patch(theirs, { metadata: { labels: { 'manager-identity': 'another' } } })
        }
        return watched.delete(...args)
      },
    }
    await managerOf({ kubernetes }).removeAll()
    expect(await names()).toEqual([theirs])
  })

  test('gives up on a Secret that keeps changing, and names it', async () => {
    const { reconcile, managerOf, watched, patch } = await newSeed()
    const { current } = await reconcile({ configs: [ca] })
    let count = 0
    const kubernetes: typeof watched = {
      ...watched,
      delete: async (...args) => {
        await patch(current(ca.name).name, { metadata: { annotations: { count: String(count++) } } })
        return watched.delete(...args)
      },
    }
    await expect(managerOf({ kubernetes }).removeAll()).rejects.toThrow(
      `cannot remove the generated Secrets of provider-aws-controlplane in ${namespace}: they change concurrently`,
    )
  })
})
