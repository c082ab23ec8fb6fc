import { describe, expect, test } from 'vitest'
import { secrets } from '../kubernetes/core-resources.ts'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import { resourceNames } from './resource-names.ts'
import { hasFailed, newSeed } from './testing/seed.ts'
import { tinyProvider } from './testing/tiny-provider.ts'

const { configuration, seed: seedResource } = resourceNames

const isWrite = (call: string): boolean => !/^(get|list) /.test(call)
/** Removes checksums of key material. */
const named = (call: string): string => call.replace(/-[0-9a-f]{8}(?=$|-[0-9a-f]{5}$)/, '-<hash>')

describe('a new ControlPlane', () => {
  test('a new ControlPlane is written in the order of the contract, in one attempt', async () => {
    const seed = await newSeed()
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({
      type: 'Create',
      state: 'Succeeded',
      description: 'Successfully reconciled ControlPlane',
    })
    expect(seed.requests.filter(isWrite).map(named)).toEqual([
      'patch controlplanes control-plane',
      'patch controlplanes/status control-plane',
      'create secrets extension-controlplane-configuration-seed-<hash>',
      'create managedresources extension-controlplane-configuration-seed',
      'create secrets ca-provider-tiny-<hash>',
      'create secrets ca-provider-tiny-bundle-<hash>',
      'create secrets tiny-controller-server-<hash>',
      'create secrets tiny-webhook-<hash>',
      'create secrets shoot-access-controller',
      'create secrets shoot-access-driver',
      'create secrets extension-controlplane-seed-<hash>',
      'create managedresources extension-controlplane-seed',
      'create secrets extension-controlplane-shoot-<hash>',
      'create managedresources extension-controlplane-shoot',
      'create secrets extension-controlplane-shoot-crds-<hash>',
      'create managedresources extension-controlplane-shoot-crds',
      'create secrets extension-controlplane-storageclasses-<hash>',
      'create managedresources extension-controlplane-storageclasses',
      'patch controlplanes/status control-plane',
    ])
  })

  test('a new ControlPlane has tokens for the shoot, which the resource manager fills', async () => {
    const seed = await newSeed()
    await seed.step()
    const access = (await seed.secrets()).find(({ metadata }) => metadata.name === 'shoot-access-driver')
    expect(access).toMatchObject({
      type: 'Opaque',
      metadata: {
        labels: {
          'resources.gardener.cloud/class': 'shoot',
          'resources.gardener.cloud/purpose': 'token-requestor',
        },
        annotations: {
          'serviceaccount.resources.gardener.cloud/name': 'driver',
          'serviceaccount.resources.gardener.cloud/namespace': 'kube-system',
        },
      },
    })
  })

  test.each([
    ['that cannot be read', { unreadable: true }, 'could not decode'],
    ['that cannot be rendered', { unrenderable: true }, 'could not find image'],
  ])('a ControlPlane %s writes nothing but its status', async (_, providerConfig, text) => {
    const seed = await newSeed({ spec: { providerConfig } })
    await seed.step()
    expect((await seed.live()).status?.lastError?.description).toBe(`Error reconciling ControlPlane: ${text}`)
    expect(seed.requests.filter(isWrite).filter(call => !call.includes(' controlplanes'))).toEqual([])
  })
})

describe('an unchanged ControlPlane', () => {
  test('an unchanged ControlPlane writes its claim and its status, in at most fifteen requests', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.reconcile()
    seed.requests.length = 0
    await seed.step()
    expect(seed.requests.filter(isWrite)).toEqual([
      'patch controlplanes control-plane',
      'patch controlplanes/status control-plane',
      'patch controlplanes/status control-plane',
    ])
    expect(seed.requests).toHaveLength(10)
    expect(await seed.lastOperation()).toMatchObject({ type: 'Reconcile', state: 'Succeeded' })
  })

  test('an unchanged ControlPlane retains the tokens in its Secrets and the fields of others', async () => {
    const seed = await newSeed()
    await seed.step()
    const key = { namespace: seed.namespace, name: 'shoot-access-driver' }
    const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
    const renewed = { 'serviceaccount.resources.gardener.cloud/token-renew-timestamp': 'later' }
    await seed.kubernetes.patch(secrets, key, {
      data: { token: btoa('t') },
      metadata: { annotations: renewed, labels: { 'resources.gardener.cloud/class': null } },
    })
    await seed.reconcile()
    await seed.step()
    const after = await seed.kubernetes.get(secrets, key)
    expect(after).toMatchObject({
      data: { token: btoa('t') },
      metadata: { annotations: renewed, labels: { 'resources.gardener.cloud/class': 'shoot' } },
    })
  })

  test('changed credentials change only the ManagedResource of the seed', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.kubernetes.patch(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      { namespace: seed.namespace, name: 'cloudprovider' },
      { data: { key: btoa('another-planted-value') } },
    )
    await seed.reconcile()
    seed.requests.length = 0
    await seed.step()
    expect(
      seed.requests
        .filter(isWrite)
        .map(named)
        .filter(call => !call.includes(' controlplanes')),
    ).toEqual([
      'create secrets extension-controlplane-seed-<hash>',
      'patch managedresources extension-controlplane-seed',
    ])
  })
})

describe('the waits of a ControlPlane', () => {
  test('the ControlPlane writes the rest after its configuration is healthy', async () => {
    const seed = await newSeed({ instant: false })
    await seed.step()
    expect(await seed.managedResources()).toEqual([configuration])
    expect(await seed.lastOperation()).toMatchObject({
      state: 'Processing',
      description: `managed resource ${seed.namespace}/${configuration} is not healthy`,
    })
    await seed.converge()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Create', state: 'Succeeded' })
    expect(await seed.managedResources()).toHaveLength(5)
  })

  test.each([
    ['unhealthy', 'ResourcesHealthy DeploymentUnhealthy: Deployment x has no replicas', []],
    [
      'invalid',
      'ResourcesApplied ApplyFailed: error during apply of object "v1/ConfigMap//x": x is invalid: no',
      ['ERR_CONFIGURATION_PROBLEM'],
    ],
  ] as const)(
    'after three minutes lastError has the reason of an %s ManagedResource',
    async (treatment, reason, codes) => {
      const seed = await newSeed()
      seed.resourceManager.treat(configuration, treatment)
      await seed.converge({ until: hasFailed })
      const { lastError, lastOperation } = (await seed.live()).status ?? {}
      expect(lastError?.description).toBe(
        `Error reconciling ControlPlane: could not wait for managed resource ${configuration} to be healthy: retry failed with context deadline exceeded, last error: managed resource ${seed.namespace}/${configuration} is not healthy: ${reason}`,
      )
      expect(lastError?.codes ?? []).toEqual(codes)
      expect(lastOperation?.state).toBe('Error')
    },
  )

  test('a sleeping shoot needs no wait', async () => {
    const seed = await newSeed({ shoot: { spec: { hibernation: { enabled: true } } } })
    seed.resourceManager.treat('all', 'stuck')
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })

  test('the ControlPlane waits until a ManagedResource in deletion is gone', async () => {
    const seed = await newSeed()
    await seed.step()
    seed.resourceManager.treat(seedResource, 'stuck')
    const { name, namespace = '' } = (await seed.managedResource(seedResource))?.metadata ?? { name: '' }
    const plural = {
      group: 'resources.gardener.cloud',
      version: 'v1alpha1',
      plural: 'managedresources',
      namespaced: true,
    }
    await seed.kubernetes.delete(plural, { name, namespace })
    await seed.reconcile()
    await seed.step()
    expect((await seed.lastOperation())?.description).toContain(`${seedResource} still exists`)
    seed.resourceManager.treat(seedResource, 'apply')
    await seed.resourceManager.work()
    await seed.converge()
    expect((await seed.managedResource(seedResource))?.metadata.deletionTimestamp).toBeUndefined()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })
})

describe('conditions', () => {
  const conditions = async (seed: Awaited<ReturnType<typeof newSeed>>) =>
    ((await seed.live()).status?.conditions ?? []).map(({ type, status }) => `${type} ${status}`)

  test('the conditions of the provider are added and removed beside others', async () => {
    const seed = await newSeed({ spec: { providerConfig: { warning: true } } })
    await seed.step()
    expect(await conditions(seed)).toEqual(['Warned True'])
    const at = { lastTransitionTime: '2026-11-21T00:00:00Z', lastUpdateTime: '2026-11-21T00:00:00Z' }
    const healthy = { type: 'ControlPlaneHealthy', status: 'True', reason: 'a', message: 'b', ...at }
    const present = (await seed.live()).status?.conditions ?? []
    await seed.changeStatus({ conditions: [...present, healthy] })
    await seed.change({ spec: { providerConfig: { warning: null } } })
    await seed.reconcile()
    await seed.step()
    expect(await conditions(seed)).toEqual(['ControlPlaneHealthy True'])
  })

  test.each([
    ['comes', true, ['ControlPlaneHealthy True', 'Warned True']],
    ['goes', null, ['ControlPlaneHealthy True']],
  ])('other conditions that are written while one %s are retained', async (_, warning, expected) => {
    const seed = await newSeed({ spec: { providerConfig: { warning: warning === null } } })
    await seed.step()
    await seed.change({ spec: { providerConfig: { warning } } })
    await seed.reconcile()
    const at = { lastTransitionTime: '2026-11-21T00:00:00Z', lastUpdateTime: '2026-11-21T00:00:00Z' }
    const healthy = { type: 'ControlPlaneHealthy', status: 'True' as const, reason: 'a', message: 'b', ...at }
    let isDone = false
    seed.interfereWith({
      // After all reads and before the write of the status.
      after: async call => {
        if (isDone || call !== 'list secrets') return
        isDone = true
        const present = (await seed.live()).status?.conditions ?? []
        await seed.changeStatus({ conditions: [healthy, ...present] })
      },
    })
    await seed.step()
    expect(await conditions(seed)).toEqual(expected)
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  })
})

describe('a CA with a deleted Secret', () => {
  const lost = 'CertificateAuthorityLost'
  const lostOf = async (seed: Awaited<ReturnType<typeof newSeed>>) =>
    (await seed.live()).status?.conditions?.find(({ type }) => type === lost)
  const loseCa = async (seed: Awaited<ReturnType<typeof newSeed>>) => {
    const ca = (await seed.secrets()).find(({ metadata }) => metadata.labels?.persist === 'true')
    const { name = '' } = ca?.metadata ?? {}
    await seed.kubernetes.delete(
      { group: '', version: 'v1', plural: 'secrets', namespaced: true },
      { name, namespace: seed.namespace },
    )
    await seed.reconcile()
  }

  test('a condition reports the lost CA and is removed afterwards', async () => {
    const seed = await newSeed()
    await seed.step()
    expect(await lostOf(seed)).toBeUndefined()
    await loseCa(seed)
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    expect(await lostOf(seed)).toMatchObject({
      status: 'True',
      reason: 'SecretDeleted',
      message: expect.stringContaining('ca-provider-tiny was deleted'),
    })
    for (const isThere of [true, false]) {
      await seed.reconcile()
      await seed.step()
      expect((await lostOf(seed)) !== undefined).toBe(isThere)
    }
    expect(seed.lines.filter(({ message }) => message.startsWith('deleted CA was replaced'))).toHaveLength(1)
  })

  test('a condition reports a second lost CA beside the first', async () => {
    const cas = ['ca-one', 'ca-two']
    const seed = await newSeed({
      provider: tinyProvider({
        secrets: () => [
          ...cas.map(name => ({ kind: 'ca', name, commonName: name, autoRotate: false }) as const),
          ...cas.map(
            ca => ({ kind: 'server', name: `server-of-${ca}`, commonName: ca, signedBy: { ca } }) as const,
          ),
        ],
        desired: () => ({ prerequisites: [], resources: () => [] }),
      }),
    })
    await seed.step()
    for (const name of cas) {
      const ca = (await seed.secrets()).find(({ metadata }) => metadata.labels?.name === name)
      await seed.kubernetes.delete(secrets, { name: ca?.metadata.name ?? '', namespace: seed.namespace })
      await seed.reconcile()
      await seed.step()
    }
    expect(await lostOf(seed)).toMatchObject({
      message: expect.stringContaining('of ca-one and of ca-two was'),
    })
  })

  test('a condition reports the lost CA even after a crash right before the report', async () => {
    const seed = await newSeed()
    await seed.step()
    await loseCa(seed)
    let statuses = 0
    seed.interfereWith({
      before: call => {
        // The first status write starts the operation.
        if (call.startsWith('patch controlplanes/status') && ++statuses > 1) throw new Error('dead')
      },
    })
    await seed.step().catch(() => {})
    seed.interfereWith({})
    await seed.clock.advance(120_000)
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    expect(await lostOf(seed)).toMatchObject({ status: 'True' })
  })
})

test('a token Secret that is created concurrently is used', async () => {
  const seed = await newSeed()
  let isDone = false
  seed.interfereWith({
    before: async call => {
      if (isDone || call !== 'create secrets shoot-access-driver') return
      isDone = true
      await seed.makeSecret('shoot-access-driver', { data: { token: btoa('t') } })
    },
  })
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  const access = (await seed.secrets()).find(({ metadata }) => metadata.name === 'shoot-access-driver')
  expect(access?.metadata.labels).toHaveProperty(['resources.gardener.cloud/purpose'], 'token-requestor')
})

test('a refused write ends the step with its text and without secrets', async () => {
  const seed = await newSeed()
  seed.interfereWith({
    before: call => {
      if (!call.startsWith('create secrets shoot-access')) return
      throw new KubernetesError(403, 'Forbidden', 'not planted-secret-value')
    },
  })
  await seed.step()
  const { description } = (await seed.live()).status?.lastError ?? {}
  expect(description).toBe('Error reconciling ControlPlane: not [redacted]')
})

test('a restore is one run and finds the migrated CA', async () => {
  const source = await newSeed()
  await source.step()
  const ca = (await source.secrets()).find(({ metadata }) => metadata.labels?.persist === 'true')
  const seed = await newSeed({ operation: 'restore' })
  const { name, labels } = ca?.metadata ?? { name: '' }
  await seed.makeSecret(name, { metadata: { labels }, data: ca?.data, type: ca?.type, immutable: true })
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({
    type: 'Restore',
    state: 'Succeeded',
    description: 'Successfully restored ControlPlane',
  })
  expect(await seed.due()).toEqual({ kind: 'none' })
  const restored = (await seed.secrets()).filter(({ metadata }) => metadata.labels?.persist === 'true')
  expect(restored).toHaveLength(1)
  expect(restored[0]?.data).toEqual(ca?.data)
})

test('a provider without CAs and shoot access is supported', async () => {
  const seed = await newSeed({
    provider: tinyProvider({
      secrets: () => [],
      shootAccess: [],
      desired: () => ({ prerequisites: [], resources: () => [] }),
    }),
  })
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
})
