import { describe, expect, test } from 'vitest'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { deleteManagedResource, keepManagedResource, keepObjects, removeSecretsOf } from './resources.ts'
import { collectableLabel } from './secrets/keep-secret.ts'
import { configMap, desiredOf, namespace, newNamespace, ProcessDied } from './testing/namespace.ts'

const key = { name: 'one', namespace }
const { resource } = managedResourceKind
const labels = { [collectableLabel]: 'true' }

const withOne = async () => {
  const world = await newNamespace()
  await keepManagedResource(world.kubernetes, desiredOf())
  world.requests.length = 0
  return world
}

describe('a ManagedResource that shall go', () => {
  test('is deleted first, and its Secrets when it is gone', async () => {
    const world = await withOne()
    const names = await world.secretNames()
    expect(await deleteManagedResource(world.kubernetes, key)).toBe(true)
    expect(world.requests).toEqual(['get managedresources one', 'delete managedresources one'])
    expect(await world.secretNames()).toEqual(names)
    expect(await deleteManagedResource(world.kubernetes, key)).toBe(false)
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toEqual([])
  })

  test('is asked to only once', async () => {
    const world = await withOne()
    await world.admin.patch(resource, key, { metadata: { finalizers: ['a.b/c'] } })
    await deleteManagedResource(world.kubernetes, key)
    world.requests.length = 0
    expect(await deleteManagedResource(world.kubernetes, key)).toBe(true)
    expect(world.requests).toEqual(['get managedresources one'])
  })

  test('and is another one by now stays', async () => {
    const world = await withOne()
    world.before('delete', async () => {
      await world.admin.delete(resource, key)
      await keepManagedResource(world.admin, desiredOf())
    })
    await deleteManagedResource(world.kubernetes, key)
    expect(await world.managedResource()).toBeDefined()
  })

  test('leaves a Secret without checksum and label collectable, before it goes', async () => {
    const world = await withOne()
    await world.makeSecret('one', { data: {} })
    await world.admin.patch(resource, key, { spec: { secretRefs: [{ name: 'one' }] } })
    await deleteManagedResource(world.kubernetes, key)
    expect((await world.secret('one'))?.metadata.labels).toEqual(labels)
    expect(world.requests.at(-1)).toBe('delete managedresources one')
  })

  test.each(['before', 'after'] as const)('goes though the process dies %s a write', async when => {
    const world = await withOne()
    for (const write of [1, 2]) {
      world.dieAt(1, when)
      const remove = async () => {
        await deleteManagedResource(world.kubernetes, key)
        await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
      }
      const dies = remove()
      // The second death finds the one thing left that may be there.
      await (write === 1 ? expect(dies).rejects.toThrow(ProcessDied) : dies.catch(() => {}))
    }
    await deleteManagedResource(world.kubernetes, key)
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.managedResource()).toBeUndefined()
    expect(await world.secretNames()).toEqual([])
  })
})

describe('Secrets of what is gone', () => {
  test('stay while a ManagedResource refers to them, by its spec or an annotation', async () => {
    const world = await withOne()
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toHaveLength(1)
    await world.admin.patch(resource, key, { spec: { secretRefs: [] } })
    await removeSecretsOf(world.kubernetes, namespace, [{ name: 'one' }])
    expect(await world.secretNames()).toHaveLength(1)
  })

  test('are not looked for in vain', async () => {
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
  ])('with %s are not ours', async (_, name, fields) => {
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

  test('that are others by now stay', async () => {
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

describe('objects that shall stay', () => {
  test('are kept by one patch, once', async () => {
    const world = await withOne()
    await keepObjects(world.kubernetes, key)
    await keepObjects(world.kubernetes, key)
    expect((await world.managedResource())?.spec?.keepObjects).toBe(true)
    expect(world.requests.filter(request => request.startsWith('patch'))).toHaveLength(1)
  })

  test('of a ManagedResource that is not there, or goes meanwhile, need nothing', async () => {
    const world = await withOne()
    world.before('patch', () => world.admin.delete(resource, key))
    await keepObjects(world.kubernetes, key)
    await keepObjects(world.kubernetes, key)
    expect(await world.managedResource()).toBeUndefined()
  })

  test('are not those of another ManagedResource that has the name by now', async () => {
    const world = await withOne()
    world.before('patch', async () => {
      await world.admin.delete(resource, key)
      await keepManagedResource(world.admin, desiredOf())
    })
    await expect(keepObjects(world.kubernetes, key)).rejects.toThrow('uid')
    expect((await world.managedResource())?.spec?.keepObjects).toBeUndefined()
  })

  test('are released again by the next reconcile', async () => {
    const world = await withOne()
    await keepObjects(world.kubernetes, key)
    await keepManagedResource(
      world.kubernetes,
      desiredOf({ objects: [configMap('first', { a: '1' }), configMap('second')] }),
    )
    expect((await world.managedResource())?.spec?.keepObjects).toBeUndefined()
  })
})
