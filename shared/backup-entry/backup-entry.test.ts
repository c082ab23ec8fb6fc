import { describe, expect, test } from 'vitest'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { backupEntryFlow } from './backup-entry.ts'
import { encoded, entryName, entryOf, newSeed, type SeedOptions, technicalId } from './testing/seed.ts'

const setUp = async (options: SeedOptions = {}) => {
  const seed = await newSeed(options)
  const removed: string[] = []
  const flow = backupEntryFlow({
    addedData: ({ object }) => ({ region: object.spec.region }),
    removeObjects: async (_, prefix) => {
      removed.push(prefix)
      return done()
    },
  })
  return { ...seed, ...flow, removed }
}

const createdBy = 'backup.gardener.cloud/created-by'

const identity: SeedOptions = {
  credentials: {
    labels: {
      'security.gardener.cloud/purpose': 'workload-identity-token-requestor',
      'workloadidentity.security.gardener.cloud/provider': 'test',
      other: 'label',
    },
    annotations: {
      'workloadidentity.security.gardener.cloud/name': 'identity',
      'workloadidentity.security.gardener.cloud/namespace': 'garden-foo',
      'workloadidentity.security.gardener.cloud/context-object': '{"kind":"BackupEntry"}',
      'workloadidentity.security.gardener.cloud/token-renew-timestamp': 'of the credentials',
    },
    data: encoded({ config: 'config', token: 'of the credentials', other: 'value' }),
  },
}

describe('the Secret of etcd', () => {
  test('the Secret consists of the credentials, the bucket and the provider’s additions', async () => {
    const { reconcile, stepOf, secret } = await setUp()
    expect(await reconcile(stepOf())).toEqual({ kind: 'done' })
    expect(await secret()).toMatchObject({
      type: 'Opaque',
      metadata: { annotations: { [createdBy]: entryName } },
      data: encoded({
        accessKeyID: 'id',
        secretAccessKey: 'key',
        bucketName: 'backups',
        region: 'eu-west-1',
      }),
    })
  })

  test('the Secret of a source entry has a separate name', async () => {
    const { reconcile, stepOf, secret } = await setUp()
    await reconcile(stepOf(entryOf(`source-${entryName}`)))
    expect(await secret()).toBeUndefined()
    const annotations = (await secret('source-etcd-backup'))?.metadata.annotations
    expect(annotations).toEqual({ [createdBy]: `source-${entryName}` })
  })

  test('an up-to-date Secret is not written', async () => {
    const { reconcile, stepOf, writes } = await setUp()
    await reconcile(stepOf())
    await reconcile(stepOf())
    expect(writes).toEqual(['create'])
  })

  test('a Secret loses unknown fields', async () => {
    const { reconcile, stepOf, secret, makeSecret } = await setUp()
    await makeSecret({
      metadata: { name: '', annotations: { old: 'one' }, labels: { old: 'one' } },
      data: encoded({ old: 'one', accessKeyID: 'before' }),
    })
    await reconcile(stepOf())
    const { metadata, data } = (await secret()) ?? { metadata: undefined, data: undefined }
    expect(metadata?.annotations).toEqual({ [createdBy]: entryName })
    expect(metadata?.labels ?? {}).toEqual({})
    expect(data).toEqual(
      encoded({ accessKeyID: 'id', secretAccessKey: 'key', bucketName: 'backups', region: 'eu-west-1' }),
    )
  })

  test('a Secret retains binary data', async () => {
    const { reconcile, stepOf, secret } = await setUp({ credentials: { data: { key: '/wD+' } } })
    await reconcile(stepOf())
    expect(await secret()).toMatchObject({ data: { key: '/wD+' } })
  })

  test('a write of a Secret is locked to its version and loses no concurrent change', async () => {
    const { reconcile, stepOf, secret, makeSecret, kubernetes, secrets, writes } = await setUp(identity)
    await makeSecret({ data: encoded({ token: 'first' }) })
    let renewed = false
    const step = stepOf(entryOf(), {
      ...kubernetes,
      patch: async (...args) => {
        writes.push('patch')
        if (!renewed) {
          renewed = true
          await kubernetes.patch(
            secrets,
            { name: 'etcd-backup', namespace: technicalId },
            { data: encoded({ token: 'renewed' }) },
          )
        }
        return kubernetes.patch(...args)
      },
    })
    await reconcile(step)
    expect(writes).toEqual(['patch', 'patch'])
    expect(await secret()).toMatchObject({ data: encoded({ token: 'renewed', config: 'config' }) })
  })

  test('a Secret that is created concurrently is read and updated', async () => {
    const { reconcile, stepOf, secret, makeSecret, kubernetes } = await setUp()
    let made = false
    const step = stepOf(entryOf(), {
      ...kubernetes,
      create: async (...args) => {
        if (!made) {
          made = true
          await makeSecret({ data: encoded({ old: 'one' }) })
        }
        return kubernetes.create(...args)
      },
    })
    await reconcile(step)
    expect((await secret())?.data).toMatchObject(encoded({ bucketName: 'backups' }))
  })
})

describe('a workload identity', () => {
  test('a workload identity passes on its name and config, but not its token', async () => {
    const { reconcile, stepOf, secret } = await setUp(identity)
    await reconcile(stepOf())
    const { metadata, data } = (await secret()) ?? { metadata: undefined, data: undefined }
    expect(metadata?.annotations).toEqual({
      [createdBy]: entryName,
      'workloadidentity.security.gardener.cloud/name': 'identity',
      'workloadidentity.security.gardener.cloud/namespace': 'garden-foo',
      'workloadidentity.security.gardener.cloud/context-object': '{"kind":"BackupEntry"}',
    })
    expect(metadata?.labels).toEqual({
      'security.gardener.cloud/purpose': 'workload-identity-token-requestor',
      'workloadidentity.security.gardener.cloud/provider': 'test',
    })
    expect(data).toEqual(encoded({ config: 'config', bucketName: 'backups', region: 'eu-west-1' }))
  })

  test('a Secret retains its token and renewal time', async () => {
    const { reconcile, stepOf, secret, makeSecret } = await setUp(identity)
    const renewal = 'workloadidentity.security.gardener.cloud/token-renew-timestamp'
    await makeSecret({
      metadata: { name: '', annotations: { [renewal]: 'soon', old: 'one' }, labels: { old: 'one' } },
      data: encoded({ token: 'own', old: 'one' }),
    })
    await reconcile(stepOf())
    const { metadata, data } = (await secret()) ?? { metadata: undefined, data: undefined }
    expect(metadata?.annotations).toMatchObject({ [renewal]: 'soon' })
    expect(Object.keys(metadata?.annotations ?? {})).toHaveLength(5)
    expect(data).toEqual(
      encoded({ config: 'config', bucketName: 'backups', region: 'eu-west-1', token: 'own' }),
    )
  })

  test.each([
    ['annotations', 'workloadidentity.security.gardener.cloud/name'],
    ['annotations', 'workloadidentity.security.gardener.cloud/namespace'],
    ['labels', 'workloadidentity.security.gardener.cloud/provider'],
  ] as const)('a workload identity without its %s %s is refused', async (where, key) => {
    const { [key]: _, ...rest } = identity.credentials?.[where] ?? {}
    const { reconcile, stepOf, writes } = await setUp({
      credentials: { ...identity.credentials, [where]: rest },
    })
    await expect(reconcile(stepOf())).rejects.toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      message: expect.stringContaining(key),
    })
    expect(writes).toEqual([])
  })
})

describe('a shoot without its namespace', () => {
  test('a shoot without its namespace needs no work', async () => {
    const { reconcile, stepOf, writes } = await setUp({ namespace: false })
    expect(await reconcile(stepOf())).toEqual({ kind: 'done' })
    expect(writes).toEqual([])
  })

  test('a namespace in deletion needs no work', async () => {
    const { reconcile, stepOf, writes, kubernetes, namespaces } = await setUp()
    await kubernetes.patch(namespaces, { name: technicalId }, { metadata: { finalizers: ['test/keep'] } })
    await kubernetes.delete(namespaces, { name: technicalId })
    expect(await reconcile(stepOf())).toEqual({ kind: 'done' })
    expect(writes).toEqual([])
  })

  test('a namespace that is deleted right before the write needs no work', async () => {
    const { reconcile, stepOf, kubernetes, namespaces } = await setUp()
    const step = stepOf(entryOf(), {
      ...kubernetes,
      create: async () => {
        await kubernetes.delete(namespaces, { name: technicalId })
        throw new KubernetesError(403, 'Forbidden', 'unable to create: namespace is being terminated')
      },
    })
    expect(await reconcile(step)).toEqual({ kind: 'done' })
  })
})

describe('deleting an entry', () => {
  test('a deleted entry deletes its Secret, then its objects', async () => {
    const { reconcile, remove, stepOf, secret, removed } = await setUp()
    await reconcile(stepOf())
    expect(await remove(stepOf())).toEqual({ kind: 'done' })
    expect(await secret()).toBeUndefined()
    expect(removed).toEqual([`${entryName}/`])
  })

  test('for a move deletes the objects of the shoot', async () => {
    const { remove, stepOf, removed } = await setUp()
    await remove(stepOf(entryOf(`source-${entryName}`)))
    expect(removed).toEqual([`${entryName}/`])
  })

  test('a deleted entry retains a Secret of another entry', async () => {
    const { remove, stepOf, secret, makeSecret } = await setUp()
    await makeSecret({ metadata: { name: '', annotations: { [createdBy]: 'another' } } })
    await remove(stepOf())
    expect(await secret()).toBeDefined()
  })

  test('a deleted entry deletes a Secret without a creator', async () => {
    const { remove, stepOf, secret, makeSecret } = await setUp()
    await makeSecret({})
    await remove(stepOf())
    expect(await secret()).toBeUndefined()
  })

  test('a deleted entry retains a Secret that another entry took over since the read', async () => {
    const { remove, stepOf, secret, makeSecret, kubernetes, secrets } = await setUp()
    await makeSecret({})
    const key = { name: 'etcd-backup', namespace: technicalId }
    const step = stepOf(entryOf(), {
      ...kubernetes,
      delete: async (...args) => {
        await kubernetes.patch(secrets, key, { metadata: { annotations: { [createdBy]: 'another' } } })
        return kubernetes.delete(...args)
      },
    })
    await remove(step)
    expect(await secret()).toBeDefined()
  })

  test('a deleted entry continues without the namespace', async () => {
    const { remove, stepOf, removed } = await setUp({ namespace: false })
    await remove(stepOf())
    expect(removed).toHaveLength(1)
  })
})
