import { describe, expect, test } from 'vitest'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { secrets } from '../lifecycle/lifecycle.ts'
import { ensureManagedResource, listManagedResources, referenceTo } from './resources.ts'
import { collectableLabel } from './secrets/ensure-secret.ts'
import { configMap, desiredOf, namespace, newNamespace, ProcessDied, statusOf } from './testing/namespace.ts'

const applied = async () => {
  const world = await newNamespace()
  await ensureManagedResource(world.kubernetes, desiredOf())
  await world.writeStatus(statusOf(1))
  world.requests.length = 0
  return world
}

/** The content of `desiredOf` in another program's format. */
const foreignText = `
# Source: chart/templates/configmaps.yaml
kind: ConfigMap
apiVersion: v1
metadata: {name: first, namespace: kube-system}
data: {a: '1'}
---
kind: ConfigMap
apiVersion: v1
metadata:
  namespace: kube-system
  name: second
data: {}
`
const labels = { [collectableLabel]: 'true' }
const byAnother = async (secretName: string, secret: object = { metadata: { labels } }) => {
  const world = await newNamespace()
  await world.makeSecret(secretName, {
    type: 'Opaque',
    immutable: true,
    data: { chart: btoa(foreignText) },
    ...secret,
  })
  await world.admin.create(managedResourceKind.resource, {
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { name: 'one', namespace, annotations: { ...referenceTo(secretName), other: 'one' } },
    spec: { secretRefs: [{ name: secretName }], keepObjects: false },
  })
  await world.writeStatus(statusOf(1))
  return world
}

describe('a missing ManagedResource', () => {
  test('an immutable Secret named by its checksum is created, then the ManagedResource that references it', async () => {
    const { kubernetes, requests, managedResource, secret } = await newNamespace()
    const { outcome } = await ensureManagedResource(
      kubernetes,
      desiredOf({ class: 'seed', injectLabels: { a: 'b' }, keepObjects: false }),
    )
    expect(outcome).toBe('created')
    const present = await managedResource()
    const name = present?.spec?.secretRefs[0]?.name ?? ''
    expect(name).toMatch(/^one-[0-9a-f]{8}$/)
    expect(present?.metadata).toMatchObject({ annotations: referenceTo(name) })
    expect(present?.metadata.labels).toBeUndefined()
    expect(present?.spec).toEqual({
      class: 'seed',
      secretRefs: [{ name }],
      injectLabels: { a: 'b' },
      keepObjects: false,
    })
    const made = await secret(name)
    expect(made).toMatchObject({ type: 'Opaque', immutable: true })
    expect(made?.metadata.labels).toEqual(labels)
    expect(made?.metadata.annotations).toBeUndefined()
    expect(requests).toEqual([
      'get managedresources one',
      `create secrets ${name}`,
      'create managedresources one',
    ])
  })

  test('the ManagedResource gets its labels, also after a removal, and those of others are retained', async () => {
    const { kubernetes, requests, managedResource, admin } = await newNamespace()
    const desired = desiredOf({ labels: { origin: 'tests' } })
    await ensureManagedResource(kubernetes, desired)
    expect((await managedResource())?.metadata.labels).toEqual({ origin: 'tests' })
    const labels = { origin: 'others', more: 'x' }
    await admin.patch(managedResourceKind.resource, { name: 'one', namespace }, { metadata: { labels } })
    expect((await ensureManagedResource(kubernetes, desired)).outcome).toBe('changed')
    expect((await managedResource())?.metadata.labels).toEqual({ origin: 'tests', more: 'x' })
    requests.length = 0
    expect((await ensureManagedResource(kubernetes, desired)).outcome).toBe('same')
    expect(requests.filter(call => !call.startsWith('get '))).toEqual([])
  })

  test('the ManagedResource has its flags and the prefix of its Secret', async () => {
    const { kubernetes, managedResource } = await newNamespace()
    await ensureManagedResource(
      kubernetes,
      desiredOf({
        secretPrefix: 'managedresource-',
        forceOverwriteAnnotations: true,
        forceOverwriteLabels: false,
      }),
    )
    const { spec } = (await managedResource()) ?? {}
    expect(spec).toMatchObject({ forceOverwriteAnnotations: true, forceOverwriteLabels: false })
    expect(spec?.secretRefs[0]?.name).toMatch(/^managedresource-one-/)
  })
})

describe('an up-to-date ManagedResource', () => {
  test('an up-to-date ManagedResource needs one read, and none after a list', async () => {
    const { kubernetes, requests } = await applied()
    expect((await ensureManagedResource(kubernetes, desiredOf())).outcome).toBe('same')
    expect(requests).toEqual(['get managedresources one'])
    requests.length = 0
    const observed = await listManagedResources(kubernetes, namespace)
    expect((await ensureManagedResource(kubernetes, desiredOf(), observed.get('one') ?? null)).outcome).toBe(
      'same',
    )
    expect(requests).toEqual(['list managedresources'])
  })

  test('missing flags count as false', async () => {
    const { kubernetes, requests } = await applied()
    const desired = desiredOf({ keepObjects: false, forceOverwriteLabels: false, injectLabels: {} })
    expect((await ensureManagedResource(kubernetes, desired)).outcome).toBe('same')
    expect(requests).toEqual(['get managedresources one'])
  })

  test('an empty class counts as no class', async () => {
    const { kubernetes, admin, requests, writeStatus } = await applied()
    await admin.patch(managedResourceKind.resource, { name: 'one', namespace }, { spec: { class: '' } })
    await writeStatus(statusOf(2))
    expect((await ensureManagedResource(kubernetes, desiredOf())).outcome).toBe('same')
    expect(requests).toEqual(['get managedresources one'])
  })

  test.each([
    ['it', statusOf(1, { ResourcesApplied: ['False', 'CannotReadSecret', 'not found'] })],
    ['its generation', statusOf(0)],
  ])('the Secret is read until the resource manager has applied %s', async (_, status) => {
    const world = await applied()
    await world.writeStatus(status)
    const name = (await world.secretNames())[0] ?? ''
    await world.admin.delete(secrets, { namespace, name })
    expect((await ensureManagedResource(world.kubernetes, desiredOf())).outcome).toBe('same')
    expect(await world.secretNames()).toEqual([name])
  })

  test('a ManagedResource in another program’s format is taken over without a write', async () => {
    const { kubernetes, requests } = await byAnother('one-0badcafe')
    expect((await ensureManagedResource(kubernetes, desiredOf())).outcome).toBe('same')
    expect(requests).toEqual(['get managedresources one', 'get secrets one-0badcafe'])
  })
})

describe('a different ManagedResource', () => {
  test('a changed object gets a new Secret, and the garbage collector deletes the old one', async () => {
    const { kubernetes, requests, managedResource, secretNames } = await applied()
    const [old = ''] = await secretNames()
    const { outcome, managedResource: kept } = await ensureManagedResource(
      kubernetes,
      desiredOf({ objects: [configMap('first', { a: '2' })] }),
    )
    expect(outcome).toBe('changed')
    const name = kept.spec?.secretRefs[0]?.name ?? ''
    expect(name).not.toBe(old)
    expect((await managedResource())?.metadata.annotations).toEqual(referenceTo(name))
    expect(requests).toEqual([
      'get managedresources one',
      `get secrets ${old}`,
      `create secrets ${name}`,
      'patch managedresources one',
    ])
    expect([...(await secretNames())].sort()).toEqual([old, name].sort())
  })

  test('a difference in the spec is the only change', async () => {
    const { kubernetes, managedResource, admin, requests } = await applied()
    await admin.patch(
      managedResourceKind.resource,
      { name: 'one', namespace },
      {
        metadata: { annotations: { other: 'one', 'reference.resources.gardener.cloud/secret-0': 'gone' } },
        spec: { keepObjects: true, injectLabels: { old: 'one', a: 'c' }, equivalences: [] },
      },
    )
    await ensureManagedResource(kubernetes, desiredOf({ injectLabels: { a: 'b' } }))
    const { metadata, spec } = (await managedResource()) ?? {}
    const name = spec?.secretRefs[0]?.name ?? ''
    expect(spec).toEqual({ secretRefs: [{ name }], injectLabels: { a: 'b' } })
    expect(metadata?.annotations).toEqual({ other: 'one', ...referenceTo(name) })
    expect(requests.at(-1)).toBe('patch managedresources one')
  })

  test('a former Secret is used again and recreated if the garbage collector deletes it', async () => {
    const world = await applied()
    const [first = ''] = await world.secretNames()
    await ensureManagedResource(world.kubernetes, desiredOf({ objects: [configMap('other')] }))
    world.before('patch', () => world.admin.delete(secrets, { namespace, name: first }))
    const { managedResource } = await ensureManagedResource(world.kubernetes, desiredOf())
    expect(managedResource.spec?.secretRefs).toEqual([{ name: first }])
    expect(await world.secretNames()).toContain(first)
  })

  test('a deleted Secret is replaced, although its content is the same', async () => {
    const world = await byAnother('one-0badcafe')
    const key = { name: 'one-0badcafe', namespace }
    await world.admin.patch(secrets, key, { metadata: { finalizers: ['example.com/in-use'] } })
    await world.admin.delete(secrets, key)
    const { outcome, managedResource } = await ensureManagedResource(world.kubernetes, desiredOf())
    expect(outcome).toBe('changed')
    expect(managedResource.spec?.secretRefs[0]?.name).not.toBe(key.name)
  })

  test('one Secret replaces several references', async () => {
    const world = await byAnother('one-0badcafe')
    const secretRefs = [{ name: 'one-0badcafe' }, { name: 'one-00000000' }]
    await world.admin.patch(
      managedResourceKind.resource,
      { name: 'one', namespace },
      { spec: { secretRefs } },
    )
    const { managedResource } = await ensureManagedResource(world.kubernetes, desiredOf())
    expect(managedResource.spec?.secretRefs).toEqual([{ name: 'one-0badcafe' }])
    expect(world.requests).toEqual([
      'get managedresources one',
      'get secrets one-0badcafe',
      'patch managedresources one',
    ])
  })

  test('a Secret without checksum becomes collectable', async () => {
    const { kubernetes, secret } = await byAnother('one', {})
    await ensureManagedResource(kubernetes, desiredOf())
    expect((await secret('one'))?.metadata.labels).toEqual(labels)
  })

  test('a deleted former Secret is awaited, and one that was created manually is corrected', async () => {
    const probe = await applied()
    const [name = ''] = await probe.secretNames()
    const data = (await probe.secret(name))?.data
    const world = await newNamespace()
    await world.makeSecret(name, { data, metadata: { labels, finalizers: ['example.com/in-use'] } })
    await ensureManagedResource(world.kubernetes, desiredOf())
    expect((await world.secret(name))?.immutable).toBe(true)
    await world.admin.delete(managedResourceKind.resource, { name: 'one', namespace })
    await world.admin.delete(secrets, { namespace, name })
    await expect(ensureManagedResource(world.kubernetes, desiredOf())).rejects.toThrow(
      `the Secret ${namespace}/${name} is being deleted; it is recreated after that`,
    )
  })

  test('a Secret with the same name and other content is not changed', async () => {
    const probe = await applied()
    const [name = ''] = await probe.secretNames()
    const world = await newNamespace()
    await world.makeSecret(name, { data: { theirs: btoa('kind: Theirs') } })
    await expect(ensureManagedResource(world.kubernetes, desiredOf())).rejects.toThrow(
      `the Secret ${namespace}/${name} contains different manifests than its name says. Delete it`,
    )
    expect((await world.secret(name))?.data).toEqual({ theirs: btoa('kind: Theirs') })
    expect(await world.managedResource()).toBeUndefined()
  })

  test('a ManagedResource in deletion is awaited and not written', async () => {
    const world = await applied()
    const key = { name: 'one', namespace }
    await world.admin.patch(managedResourceKind.resource, key, { metadata: { finalizers: ['a.b/c'] } })
    await world.admin.delete(managedResourceKind.resource, key)
    const desired = desiredOf({ objects: [] })
    expect((await ensureManagedResource(world.kubernetes, desired)).outcome).toBe('deleting')
    expect(world.requests).toEqual(['get managedresources one'])
  })
})

describe('concurrent writers', () => {
  test('a concurrently created ManagedResource is updated to the desired state', async () => {
    const world = await newNamespace()
    world.before('create', async () => {
      await world.admin.create(managedResourceKind.resource, {
        apiVersion: 'resources.gardener.cloud/v1alpha1',
        kind: 'ManagedResource',
        metadata: { name: 'one', namespace },
        spec: { secretRefs: [] },
      })
    })
    expect((await ensureManagedResource(world.kubernetes, desiredOf())).outcome).toBe('changed')
    expect((await world.managedResource())?.spec?.secretRefs).toHaveLength(1)
  })

  test('a concurrently deleted or replaced ManagedResource never gets the patch of the former one', async () => {
    const world = await applied()
    const key = { name: 'one', namespace }
    world.before('patch', async () => {
      await world.admin.delete(managedResourceKind.resource, key)
      await world.admin.create(managedResourceKind.resource, {
        apiVersion: 'resources.gardener.cloud/v1alpha1',
        kind: 'ManagedResource',
        metadata: { name: 'one', namespace },
        spec: { class: 'theirs', secretRefs: [] },
      })
    })
    const { outcome } = await ensureManagedResource(world.kubernetes, desiredOf({ objects: [] }))
    expect(outcome).toBe('changed')
    expect(world.requests.filter(request => request === 'get managedresources one')).toHaveLength(2)
    expect((await world.managedResource())?.spec?.class).toBeUndefined()
  })

  test('constant status writes of others do not block', async () => {
    const world = await applied()
    world.before('patch', () => world.writeStatus({ observedGeneration: 7 }))
    expect((await ensureManagedResource(world.kubernetes, desiredOf({ objects: [] }))).outcome).toBe(
      'changed',
    )
  })
})

describe('a process that crashes', () => {
  const desired = desiredOf({ objects: [configMap('changed')] })
  const cases = [1, 2].flatMap(write => (['before', 'after'] as const).map(when => [when, write] as const))

  test.each(cases)('a creation continues after a crash %s write %i', async (when, write) => {
    const world = await newNamespace()
    world.dieAt(write, when)
    await expect(ensureManagedResource(world.kubernetes, desired)).rejects.toThrow(ProcessDied)
    await ensureManagedResource(world.kubernetes, desired)
    const names = await world.secretNames()
    expect(names).toHaveLength(1)
    expect((await world.managedResource())?.spec?.secretRefs).toEqual([{ name: names[0] }])
  })

  test.each(cases)('a change leaves no orphaned Secret after a crash %s write %i', async (when, write) => {
    const world = await applied()
    const [old = ''] = await world.secretNames()
    world.dieAt(write, when)
    await expect(ensureManagedResource(world.kubernetes, desired)).rejects.toThrow(ProcessDied)
    // It references an existing Secret at every moment.
    const [between] = (await world.managedResource())?.spec?.secretRefs ?? []
    expect(await world.secretNames()).toContain(between?.name)
    await ensureManagedResource(world.kubernetes, desired)
    const [after] = (await world.managedResource())?.spec?.secretRefs ?? []
    const names = await world.secretNames()
    expect([...names].sort()).toEqual([old, after?.name].sort())
    for (const name of names) expect((await world.secret(name))?.metadata.labels).toEqual(labels)
  })
})
