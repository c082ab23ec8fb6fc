import { describe, expect, test } from 'vitest'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { deleteManagedResource, ensureManagedResource, orphanObjects, removeSecretsOf } from './resources.ts'
import { collectableLabel } from './secrets/ensure-secret.ts'
import { configMap, desiredOf, namespace, newNamespace, ProcessDied } from './testing/namespace.ts'

const key = { name: 'one', namespace }
const { resource } = managedResourceKind
const labels = { [collectableLabel]: 'true' }

const withOne = async () => {
  const world = await newNamespace()
  await ensureManagedResource(world.kubernetes, desiredOf())
  world.requests.length = 0
  return world
}

describe('a ManagedResource to delete', () => {
  test('the ManagedResource is deleted first, and its Secrets when it is gone', async () => {
    const world = await withOne()
    const names = await world.secretNames()
    expect(await deleteManagedResource(world.kubernetes, key)).toBe(true)
    expect(world.requests).toEqual(['get managedresources one', 'delete managedresources one'])
    expect(await world.secretNames()).toEqual(names)
    expect(await deleteManagedResource(world.kubernetes, key)).toBe(false)
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toEqual([])
  })

  test('the deletion is requested only once', async () => {
    const world = await withOne()
    await world.admin.patch(resource, key, { metadata: { finalizers: ['a.b/c'] } })
    await deleteManagedResource(world.kubernetes, key)
    world.requests.length = 0
    expect(await deleteManagedResource(world.kubernetes, key)).toBe(true)
    expect(world.requests).toEqual(['get managedresources one'])
  })

  test('another ManagedResource of the same name is retained', async () => {
    const world = await withOne()
    world.before('delete', async () => {
      await world.admin.delete(resource, key)
      await ensureManagedResource(world.admin, desiredOf())
    })
    await deleteManagedResource(world.kubernetes, key)
    expect(await world.managedResource()).toBeDefined()
  })

  test('a Secret without checksum and label becomes collectable before the deletion', async () => {
    const world = await withOne()
    await world.makeSecret('one', { data: {} })
    await world.admin.patch(resource, key, { spec: { secretRefs: [{ name: 'one' }] } })
    await deleteManagedResource(world.kubernetes, key)
    expect((await world.secret('one'))?.metadata.labels).toEqual(labels)
    expect(world.requests.at(-1)).toBe('delete managedresources one')
  })

  test.each(['before', 'after'] as const)('the deletion completes after a crash %s a write', async when => {
    const world = await withOne()
    for (const write of [1, 2]) {
      world.dieAt(1, when)
      const remove = async () => {
        await deleteManagedResource(world.kubernetes, key)
        await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
      }
      const dies = remove()
      // The second crash may not happen, because at most one write is left.
      await (write === 1 ? expect(dies).rejects.toThrow(ProcessDied) : dies.catch(() => {}))
    }
    await deleteManagedResource(world.kubernetes, key)
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.managedResource()).toBeUndefined()
    expect(await world.secretNames()).toEqual([])
  })
})

describe('Secrets of a deleted ManagedResource', () => {
  test('Secrets remain while the spec or an annotation of a ManagedResource references them', async () => {
    const world = await withOne()
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toHaveLength(1)
    await world.admin.patch(resource, key, { spec: { secretRefs: [] } })
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toHaveLength(1)
  })

  test('Secrets are not searched without need', async () => {
    const world = await newNamespace()
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(world.requests).toEqual(['list secrets'])
  })

  test.each([
    ['another name', 'two', {}],
    ['no label', 'one', { metadata: {} }],
    ['another type', 'one', { type: 'other/type' }],
    ['data that may change', 'one', { immutable: false }],
    ['other data than its name says', 'one', { data: { chart: btoa('kind: Theirs') } }],
  ])('Secrets with %s are not deleted', async (_, name, fields) => {
    const ours = await withOne()
    const [secretName = ''] = await ours.secretNames()
    const { type, immutable, data } = Object(await ours.secret(secretName))
    const world = await newNamespace()
    const likeOurs = { metadata: { labels }, type, immutable, data }
    const itsName = secretName.replace('one', name)
    await world.makeSecret(itsName, { ...likeOurs, ...fields })
    await world.makeSecret(secretName.replace('one', 'beside'), likeOurs)
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toContain(itsName)
    expect(await world.secretNames()).toHaveLength(2)
  })

  test('Secrets that were replaced are retained', async () => {
    const world = await withOne()
    await world.admin.delete(resource, key)
    const [name = ''] = await world.secretNames()
    world.before('delete', async () => {
      await world.admin.delete(
        { group: '', version: 'v1', plural: 'secrets', namespaced: true },
        { name, namespace },
      )
      await world.makeSecret(name, { data: {} })
    })
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toEqual([name])
  })
})

describe('objects to retain', () => {
  test('one patch retains the objects, once', async () => {
    const world = await withOne()
    await orphanObjects(world.kubernetes, key)
    await orphanObjects(world.kubernetes, key)
    expect((await world.managedResource())?.spec?.keepObjects).toBe(true)
    expect(world.requests.filter(request => request.startsWith('patch'))).toHaveLength(1)
  })

  test('a missing or concurrently deleted ManagedResource needs no patch', async () => {
    const world = await withOne()
    world.before('patch', () => world.admin.delete(resource, key))
    await orphanObjects(world.kubernetes, key)
    await orphanObjects(world.kubernetes, key)
    expect(await world.managedResource()).toBeUndefined()
  })

  test('another ManagedResource of the same name is not changed', async () => {
    const world = await withOne()
    world.before('patch', async () => {
      await world.admin.delete(resource, key)
      await ensureManagedResource(world.admin, desiredOf())
    })
    await expect(orphanObjects(world.kubernetes, key)).rejects.toThrow('uid')
    expect((await world.managedResource())?.spec?.keepObjects).toBeUndefined()
  })

  test('the next reconcile releases the objects again', async () => {
    const world = await withOne()
    await orphanObjects(world.kubernetes, key)
    await ensureManagedResource(
      world.kubernetes,
      desiredOf({ objects: [configMap('first', { a: '1' }), configMap('second')] }),
    )
    expect((await world.managedResource())?.spec?.keepObjects).toBeUndefined()
  })
})
