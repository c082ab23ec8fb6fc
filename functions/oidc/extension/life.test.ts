import { describe, expect, test } from 'vitest'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { asksAuthenticator } from './api-server/oidc.ts'
import { type ExtensionWorld, extensionWorld, gardenOf, name } from './testing/extension-world.ts'
import { secrets } from './testing/imitated-others.ts'

const seedName = 'extension-shoot-oidc-service-seed'
const shootName = 'extension-shoot-oidc-service-shoot'

const made = async (options: Parameters<typeof extensionWorld>[0] = {}) => {
  const world = await extensionWorld(options)
  await world.create()
  await world.converge(name)
  return world
}

const stateOf = async (world: ExtensionWorld) => (await world.statusOf(name)).lastOperation

const withoutHash = (names: readonly string[]) => names.map(one => one.replace(/-[0-9a-f]{8}(?=$|-)/, ''))

const asks = async (world: ExtensionWorld) => {
  const template = Object((await world.apiServer())?.spec).template
  return template !== undefined && asksAuthenticator(template)
}

describe('an Extension of a shoot', () => {
  test('has an authenticator in the seed, its kinds in the shoot, a token, and a certificate', async () => {
    const world = await made()
    expect(await stateOf(world)).toMatchObject({ type: 'Create', state: 'Succeeded' })
    expect(await world.managedResource(shootName)).toMatchObject({
      metadata: { labels: { origin: 'shoot-oidc-service' } },
      spec: { injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' }, keepObjects: false },
    })
    expect(await world.managedResource(seedName)).toMatchObject({ spec: { class: 'seed' } })
    const kindsOf = async (of: string) =>
      (await world.objectsOf(of)).map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
    expect(await kindsOf(shootName)).toEqual([
      'ClusterRole oidc-webhook-authenticator-resource-reader',
      'ClusterRoleBinding oidc-webhook-authenticator-resource-reader',
      'CustomResourceDefinition openidconnects.authentication.gardener.cloud',
      'ValidatingWebhookConfiguration oidc-webhook-authenticator',
    ])
    expect(await kindsOf(seedName)).toEqual([
      'Deployment oidc-webhook-authenticator',
      'PodDisruptionBudget oidc-webhook-authenticator',
      'Secret oidc-webhook-authenticator-kubeconfig',
      'Service oidc-webhook-authenticator',
      'ServiceAccount oidc-webhook-authenticator',
      'ServiceMonitor shoot-oidc-webhook-authenticator',
      'VerticalPodAutoscaler oidc-webhook-authenticator',
    ])
    expect(withoutHash(await world.secretNames())).toEqual([
      'ca-extension-shoot-oidc-service',
      'ca-extension-shoot-oidc-service-bundle',
      `managedresource-${seedName}`,
      `managedresource-${shootName}`,
      'oidc-webhook-authenticator-kubeconfig',
      'oidc-webhook-authenticator-tls',
      'shoot-access-oidc-webhook-authenticator',
    ])
    expect((await world.read(name))?.metadata.finalizers).toEqual([
      'extensions.gardener.cloud/shoot-oidc-service',
    ])
  })

  test('is verified by the shoot and its API server with the CA of its certificate', async () => {
    const world = await made()
    const all = (await world.kubernetes.list(secrets, { namespace: world.namespace })).items
    const bundle = all.find(({ metadata }) => metadata.labels?.['bundle-for'] !== undefined)
    const caBundle = Object(bundle?.data)['bundle.crt']
    const webhooks = (await world.objectsOf(shootName)).find(
      ({ kind }) => kind === 'ValidatingWebhookConfiguration',
    )
    expect(Object(webhooks).webhooks[0].clientConfig).toEqual({
      url: `https://oidc-webhook-authenticator.${world.namespace}/webhooks/validating`,
      caBundle,
    })
    const template = Object((await world.apiServer())?.spec).template
    expect(asksAuthenticator(template, bundle?.metadata.name)).toBe(true)
  })

  test('is used by the API server only after its ManagedResource reports that it is rolled out', async () => {
    const world = await extensionWorld()
    world.resourceManager.treat(seedName, 'unhealthy')
    await world.create()
    await world.step(name)
    expect(await stateOf(world)).toMatchObject({
      state: 'Processing',
      description: `managed resource ${world.namespace}/${seedName} is not healthy: ResourcesHealthy DeploymentUnhealthy: Deployment x has no replicas`,
    })
    expect(await asks(world)).toBe(false)
    world.resourceManager.treat(seedName, 'apply')
    await world.resourceManager.work()
    await world.clock.advance(10_000)
    await world.step(name)
    expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })
    expect(await asks(world)).toBe(true)
  })

  test('that does not become ready reports it after four minutes', async () => {
    const world = await extensionWorld()
    world.resourceManager.treat(seedName, 'unhealthy')
    await world.create()
    for (let step = 0; step < 40; step++) {
      await world.step(name)
      if ((await stateOf(world))?.state === 'Error') break
      await world.clock.advance(10_000)
    }
    expect((await world.statusOf(name)).lastError?.description).toContain(
      `could not wait for managed resource ${seedName} to be healthy: retry failed with context deadline exceeded, last error: managed resource shoot--garden--one/${seedName} is not healthy`,
    )
  })

  test('without changes takes a claim and a status write', async () => {
    const world = await made()
    world.writes()
    await world.reconcile()
    expect(world.requests.filter(request => /^(get|list)/.test(request)).length).toBeLessThanOrEqual(10)
    expect(world.writes()).toEqual([
      `patch extensions ${name}`,
      `patch extensions/status ${name}`,
      `patch extensions/status ${name}`,
    ])
  })

  test('is ready without an API server, and the webhook reviews that later', async () => {
    const world = await made({ apiServer: null })
    expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })
    expect(world.requests.filter(request => /^patch deployments/.test(request))).toEqual([])
  })

  test('with an API server that no webhook changes reports it and is retried', async () => {
    const world = await extensionWorld({ hasWebhook: false })
    await world.create()
    await world.step(name)
    await world.resourceManager.work()
    await world.step(name)
    expect((await world.statusOf(name)).lastError?.description).toContain(
      `the Deployment ${world.namespace}/kube-apiserver does not use the OIDC authenticator: no webhook of shoot-oidc-service has changed it`,
    )
    expect((await world.due(name))?.kind).not.toBe('none')
  })

  test('repairs an API server that was changed back', async () => {
    const world = await made()
    await world.kubernetes.patch(
      { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
      { name: 'kube-apiserver', namespace: world.namespace },
      { spec: { template: { spec: { volumes: null } } } },
    )
    world.writes()
    await world.reconcile()
    expect(world.writes()).toContain('patch deployments kube-apiserver')
    expect(await asks(world)).toBe(true)
  })

  test('retains replicas set by others, and is scaled down with its hibernated shoot', async () => {
    const world = await made()
    const replicasIn = async () => {
      const objects = await world.objectsOf(seedName)
      return Object(objects.find(({ kind }) => kind === 'Deployment')?.spec).replicas
    }
    expect(await replicasIn()).toBe(2)
    const deployment = { name: 'oidc-webhook-authenticator', namespace: world.namespace }
    const of = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true } as const
    await world.kubernetes.patch(of, deployment, { spec: { replicas: 3 } })
    await world.rollOut(deployment.name)
    await world.reconcile()
    expect(await replicasIn()).toBe(3)
    const sleep = (enabled: boolean) =>
      world.kubernetes.patch(
        clusterKind.resource,
        { name: world.namespace },
        { spec: { shoot: { spec: { hibernation: { enabled } } } } },
      )
    await sleep(true)
    await world.kubernetes.patch(of, { ...deployment, name: 'kube-apiserver' }, { spec: { replicas: 0 } })
    await world.reconcile()
    expect(await replicasIn()).toBe(0)
    expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })
    await sleep(false)
    await world.reconcile()
    expect(await replicasIn()).toBe(2)
  })

  test('outside of a shoot is refused with a clear error', async () => {
    const world = await extensionWorld({ extensionClass: 'garden' })
    const object = await world.make({
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Extension',
      metadata: { name },
      spec: { type: 'shoot-oidc-service' },
    })
    expect(object.metadata.name).toBe(name)
    await world.step(name)
    expect((await world.statusOf(name)).lastError).toMatchObject({
      description: expect.stringContaining('the namespace does not belong to a shoot'),
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
    expect(await world.managedResources()).toEqual([])
  })
})

describe('its deletion', () => {
  test('deletes everything in one wait', async () => {
    const world = await made()
    world.writes()
    await world.remove(name)
    await world.converge(name)
    expect(await world.read(name)).toBeUndefined()
    expect(await world.managedResources()).toEqual([])
    // The resource manager deletes applied objects with their ManagedResource.
    expect(await world.secretNames()).toEqual(['oidc-webhook-authenticator-kubeconfig'])
    const writes = world.writes()
    expect(writes.filter(write => write.startsWith('delete managedresources'))).toEqual([
      `delete managedresources ${seedName}`,
      `delete managedresources ${shootName}`,
    ])
  })

  test('waits for the objects in the shoot, unless it is forced', async () => {
    for (const forced of [false, true]) {
      const world = await made()
      world.resourceManager.treat(shootName, 'unhealthy')
      if (forced)
        await world.kubernetes.patch(
          clusterKind.resource,
          { name: world.namespace },
          {
            spec: {
              shoot: {
                metadata: {
                  deletionTimestamp: '2026-11-21T11:00:00Z',
                  annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' },
                },
              },
            },
          },
        )
      await world.remove(name)
      await world.step(name)
      if (forced) expect(await world.read(name)).toBeUndefined()
      else
        expect(await stateOf(world)).toMatchObject({
          state: 'Processing',
          description: expect.stringContaining('ConfigMap trust is still there'),
        })
    }
  })

  test('in a migration retains the objects in the shoot, and the CA for the other seed', async () => {
    const world = await made()
    await world.ask(name, 'migrate')
    let kept: unknown
    world.interfereWith({
      before: async call => {
        if (call === `delete managedresources ${shootName}`)
          kept = (await world.managedResource(shootName))?.spec?.keepObjects
      },
    })
    await world.converge(name)
    expect(kept).toBe(true)
    expect(await stateOf(world)).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
    expect(await world.managedResources()).toEqual([])
    expect(withoutHash(await world.secretNames())).toEqual([
      'ca-extension-shoot-oidc-service',
      'oidc-webhook-authenticator-kubeconfig',
    ])
  })

  test('a restore adopts the CA that gardenlet migrated', async () => {
    const source = await made()
    const all = (await source.kubernetes.list(secrets, { namespace: source.namespace })).items
    const authority = all.find(({ metadata }) => metadata.labels?.persist === 'true')
    const world = await extensionWorld()
    await world.kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: authority?.metadata.name ?? '',
        namespace: world.namespace,
        labels: { ...authority?.metadata.labels },
      },
      type: 'Opaque',
      immutable: true,
      data: authority?.data,
    })
    await world.create('restore')
    await world.converge(name)
    expect(await stateOf(world)).toMatchObject({ type: 'Restore', state: 'Succeeded' })
    const after = (await world.kubernetes.list(secrets, { namespace: world.namespace })).items
    expect(after.find(({ metadata }) => metadata.labels?.persist === 'true')?.data).toEqual(authority?.data)
  })
})

describe('an Extension of a garden', () => {
  test('is for the virtual garden, with different names', async () => {
    const world = await made({ extensionClass: 'garden' })
    expect(await stateOf(world)).toMatchObject({ state: 'Succeeded' })
    expect(await asks(world)).toBe(true)
    const objects = await world.objectsOf(seedName)
    const deployment = Object(objects.find(({ kind }) => kind === 'Deployment')?.spec)
    expect(deployment.template.spec.priorityClassName).toBe('gardener-garden-system-300')
    expect(deployment.template.metadata.labels).toMatchObject({
      'networking.resources.gardener.cloud/to-virtual-garden-kube-apiserver-tcp-443': 'allowed',
    })
    expect(objects.find(({ kind }) => kind === 'ServiceMonitor')?.metadata).toMatchObject({
      name: 'garden-oidc-webhook-authenticator',
      labels: { prometheus: 'garden' },
    })
    await world.remove(name)
    await world.converge(name)
    expect(await world.read(name)).toBeUndefined()
    expect((await world.secretNames()).filter(one => one.startsWith('ca-'))).toEqual([])
  })

  test.each([
    ['without a Garden', null, 'cannot read the Garden: not found'],
    [
      'whose Garden has no kubeconfig yet',
      gardenOf({ metadata: { name: 'local' } }),
      'cannot read the Garden local: the annotation generic-token-kubeconfig.secret.gardener.cloud/name is missing',
    ],
  ])('%s is reported and retried', async (_, garden, message) => {
    const world = await extensionWorld({ extensionClass: 'garden', garden })
    await world.create()
    await world.step(name)
    expect((await world.statusOf(name)).lastError?.description).toContain(message)
    expect(await world.managedResources()).toEqual([])
  })
})
