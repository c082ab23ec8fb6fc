import { describe, expect, test } from 'vitest'
import { definition as local } from '../../functions/local/operatingsystemconfig/function.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { OperatingSystemConfig } from '../../shared/contract/objects.ts'
import { configOf, namespace, type SeedParts, secrets, seedWith } from './testing/seed.ts'

const files: OperatingSystemConfig['spec']['files'] = [
  { path: '/etc/plain', content: { inline: { encoding: '', data: 'plain' } } },
  { path: '/etc/from-secret', content: { secretRef: { name: 'source', dataKey: 'token' } } },
]

const setUp = (spec: Partial<OperatingSystemConfig['spec']> = {}, parts: Partial<SeedParts> = {}) =>
  seedWith(local, {
    object: configOf({ type: 'local', files, ...spec }),
    secrets: { source: { token: 's3cr3t' } },
    ...parts,
  })

const errorOf = async (seed: Awaited<ReturnType<typeof setUp>>) => {
  await seed.step()
  return { ...(await seed.object())?.status?.lastError }
}

describe('the Secret with the user data', () => {
  test('is read but not written if nothing has changed; the step makes a claim and two status writes', async () => {
    const seed = await setUp()
    await seed.step()
    await seed.ask('reconcile')
    seed.writes.length = 0
    seed.reads.length = 0
    await seed.step()
    expect(seed.writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'patch operatingsystemconfigs',
      'patch operatingsystemconfigs/status',
      'patch operatingsystemconfigs/status',
    ])
    expect(seed.reads.filter(read => read.startsWith('secrets'))).toEqual([
      'secrets source',
      'secrets osc-result-pool',
    ])
  })

  test('is repaired after a change by others, and its other keys are retained', async () => {
    const seed = await setUp()
    await seed.step()
    const before = await seed.userData()
    await seed.kubernetes.patch(
      secrets,
      { name: 'osc-result-pool', namespace },
      { data: { cloud_config: btoa('x'), other: btoa('y') } },
    )
    await seed.ask('reconcile')
    await seed.step()
    const after = await seed.userData()
    expect(after?.text).toBe(before?.text)
    expect(after?.secret.data).toMatchObject({ other: btoa('y') })
  })

  test('retains its name from the status', async () => {
    const seed = await setUp()
    await seed.step()
    const patch = { status: { cloudConfig: { secretRef: { name: 'former', namespace } } } }
    await seed.kubernetes.patch(kinds.OperatingSystemConfig.resource, seed.key, patch, {
      subresource: 'status',
    })
    await seed.ask('reconcile')
    await seed.step()
    expect((await seed.userData('former'))?.text).toBe((await seed.userData())?.text)
  })

  test('is in the namespace of the config, whatever the status says', async () => {
    const seed = await setUp()
    await seed.step()
    const patch = {
      status: { cloudConfig: { secretRef: { name: 'theirs', namespace: 'shoot--other--one' } } },
    }
    await seed.kubernetes.patch(kinds.OperatingSystemConfig.resource, seed.key, patch, {
      subresource: 'status',
    })
    await seed.ask('reconcile')
    await seed.step()
    expect((await seed.object())?.status?.cloudConfig?.secretRef).toEqual({
      name: 'osc-result-pool',
      namespace,
    })
    expect(await seed.userData('theirs')).toBeUndefined()
  })

  test('has the contents of all Secrets, however many they are', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `source-${index}`)
    const seed = await setUp(
      {
        files: names.map(name => ({
          path: `/etc/${name}`,
          content: { secretRef: { name, dataKey: 'token' } },
        })),
      },
      { secrets: Object.fromEntries(names.map(name => [name, { token: `of ${name}` }])) },
    )
    await seed.step()
    const { text = '' } = (await seed.userData()) ?? {}
    expect(names.filter(name => !text.includes(btoa(`of ${name}`)))).toEqual([])
  })

  test('is not changed if it belongs to another controller', async () => {
    const seed = await setUp()
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'of-another', uid: 'u', controller: true }
    await seed.kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'osc-result-pool', namespace, ownerReferences: [owner] },
      data: { cloud_config: btoa('theirs') },
    })
    expect((await errorOf(seed)).description).toContain('belongs to ConfigMap "of-another"')
    expect((await seed.userData())?.text).toBe('theirs')
  })

  test('is adopted if it belongs to a former config of this name', async () => {
    const seed = await setUp()
    const before = {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'OperatingSystemConfig',
      name: 'pool',
      uid: 'u',
    }
    await seed.kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'osc-result-pool', namespace, ownerReferences: [{ ...before, controller: true }] },
    })
    await seed.step()
    const object = await seed.object()
    expect((await seed.userData())?.secret.metadata.ownerReferences).toEqual([
      { ...before, uid: object?.metadata.uid, controller: true, blockOwnerDeletion: true },
    ])
  })

  test('is deleted with its owner, and a deletion needs neither Secrets nor a valid config', async () => {
    const seed = await setUp()
    await seed.step()
    await seed.kubernetes.delete(secrets, { name: 'source', namespace })
    await seed.remove()
    await seed.step()
    expect(await seed.object()).toBeUndefined()
    expect(await seed.userData()).toBeUndefined()
  })
})
