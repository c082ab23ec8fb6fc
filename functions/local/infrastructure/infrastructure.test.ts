import { describe, expect, test } from 'vitest'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { applyObject } from '../../../shared/kubernetes/apply-object.ts'
import { core } from '../../testing/function-seed.ts'
import { clusterOf, infraNamespace, namespace, secretOf } from '../testing/provider-seed.ts'
import { newSeed } from './testing/seed.ts'

const namespaces = core('namespaces', false)
const ipPools = core('ippools', false, 'crd.projectcalico.org')
const policies = core('networkpolicies', true, 'networking.k8s.io')
const succeeded = { state: 'Succeeded', progress: 100 }

describe('an infrastructure', () => {
  test('is a namespace, an IP pool that is deleted with it, and two policies', async () => {
    const seed = await newSeed()
    await seed.converge()
    expect(await seed.status()).toMatchObject({
      lastOperation: succeeded,
      networking: { nodes: ['10.0.128.0/17'], pods: ['10.3.0.0/16'], services: ['10.4.0.0/16'] },
      egressCIDRs: ['10.0.128.0/17'],
    })
    const { uid } = (await seed.admin.get(namespaces, { name: infraNamespace }))?.metadata ?? {}
    expect(await seed.admin.get(ipPools, { name: `shoot-machine-pods-${namespace}-ipv4` })).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Namespace', name: infraNamespace, uid }] },
      spec: { cidr: '10.0.128.0/17', ipipMode: 'Always', natOutgoing: true, nodeSelector: '!all()' },
    })
    expect((await seed.admin.list(policies)).items.map(({ metadata }) => metadata.name)).toEqual([
      'provider-local-allow-machine-pods',
      'provider-local-deny-all',
    ])
  })

  test('without changes takes four reads of the provider cluster, and a claim and a status write in the seed', async () => {
    const seed = await newSeed()
    await seed.converge()
    seed.calls()
    await seed.ask('reconcile')
    seed.takeWrites()
    seed.requests.splice(0)
    await seed.converge()
    expect(seed.calls().map(call => call.split(' ')[0])).toEqual(['get', 'get', 'get', 'get'])
    expect(seed.requests).toEqual([
      'get infrastructures infrastructure',
      `get clusters ${namespace}`,
      'get secrets cloudprovider',
      'patch infrastructures infrastructure',
      'patch infrastructures/status infrastructure',
      'patch infrastructures/status infrastructure',
    ])
  })

  test('reverts changes that others made to its own fields, but no other changes', async () => {
    const seed = await newSeed()
    await seed.converge()
    const key = { namespace: infraNamespace, name: 'provider-local-deny-all' }
    await seed.admin.patch(policies, key, {
      metadata: { labels: { mine: 'x' } },
      spec: { podSelector: { a: 1 } },
    })
    seed.providerWrites()
    await seed.ask('reconcile')
    await seed.converge()
    expect(seed.providerWrites().map(({ verb, name }) => `${verb} ${name}`)).toEqual([
      'apply provider-local-deny-all',
    ])
    expect(await seed.admin.get(policies, key)).toMatchObject({
      metadata: { labels: { mine: 'x', 'app.kubernetes.io/managed-by': 'provider-local' } },
      spec: { podSelector: {} },
    })
  })

  test('has a pool for each family with a range, with the range of that family', async () => {
    const both = { ipFamilies: ['IPv6', 'IPv4'], nodes: '10.0.128.0/17' }
    const cluster = clusterOf({
      networking: both,
      status: { networking: { nodes: ['10.0.128.0/17', 'fd00:1::/64'] } },
    })
    const seed = await newSeed({ cluster })
    await seed.converge()
    const pools = (await seed.admin.list(ipPools)).items.map(({ metadata, spec }) => [metadata.name, spec])
    expect(Object.fromEntries(pools)).toEqual({
      [`shoot-machine-pods-${namespace}-ipv6`]: expect.objectContaining({
        cidr: 'fd00:1::/64',
        ipipMode: 'Never',
      }),
      [`shoot-machine-pods-${namespace}-ipv4`]: expect.objectContaining({ cidr: '10.0.128.0/17' }),
    })
    const unknown = await newSeed({ cluster: clusterOf({ networking: both }) })
    await unknown.converge()
    expect((await unknown.admin.list(ipPools)).items).toHaveLength(1)
  })

  test('of a self-hosted shoot allows access to its API server from outside', async () => {
    const workers = [{ name: 'cp', controlPlane: {} }]
    const seed = await newSeed({ cluster: clusterOf({ shoot: { provider: { workers } } }) })
    await seed.converge()
    const policy = await seed.admin.get(policies, {
      namespace: infraNamespace,
      name: 'provider-local-allow-machine-pods',
    })
    expect(Object(policy?.spec).ingress.at(-1)).toEqual({
      ports: [{ protocol: 'TCP', port: 443 }],
      from: [{ ipBlock: { cidr: '172.18.0.224/27' } }, { ipBlock: { cidr: 'fd00:10::e0/123' } }],
    })
  })

  test('waits for a namespace that is being deleted without changing it, and then recreates it', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.admin.delete(namespaces, { name: infraNamespace })
    seed.providerWrites()
    await seed.ask('reconcile')
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Processing',
      description: `waiting for Namespace ${infraNamespace} to be deleted before it is recreated`,
    })
    expect(seed.providerWrites()).toEqual([])
    await seed.converge()
    expect((await seed.status()).lastOperation).toMatchObject(succeeded)
    const made = await seed.admin.get(namespaces, { name: infraNamespace })
    expect(made?.metadata.deletionTimestamp).toBeUndefined()
    expect((await seed.admin.list(policies)).items).toHaveLength(2)
  })
})

describe('an infrastructure that is deleted', () => {
  test('is gone when its namespace is, with short polls at first', async () => {
    const seed = await newSeed()
    await seed.converge()
    seed.calls()
    await seed.remove()
    const start = seed.clock.now()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.admin.get(namespaces, { name: infraNamespace })).toBeUndefined()
    expect((await seed.admin.list(ipPools)).items).toEqual([])
    // The simulated namespace takes 10 s to terminate.
    expect(seed.clock.now() - start).toBeLessThan(15_000)
    expect(seed.calls().filter(call => call.startsWith('delete'))).toHaveLength(1)
  })

  test('retains a foreign namespace with the name', async () => {
    const seed = await newSeed({ hasNamespace: true })
    // Without a finalizer the API server deletes the object, and no step runs.
    const finalizers = ['extensions.gardener.cloud/infrastructure']
    await seed.kubernetes.patch(
      kinds.Infrastructure.resource,
      { name: 'infrastructure', namespace },
      { metadata: { finalizers } },
    )
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    const left = await seed.admin.get(namespaces, { name: infraNamespace })
    expect(left?.metadata.name).toBe(infraNamespace)
    expect(left?.metadata.deletionTimestamp).toBeUndefined()
  })

  test('by force does not wait', async () => {
    const forced = { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } }
    const seed = await newSeed()
    await seed.converge()
    await seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: forced } })
    await seed.remove()
    await seed.step()
    expect(await seed.live()).toBeUndefined()
    expect(
      (await seed.admin.get(namespaces, { name: infraNamespace }))?.metadata.deletionTimestamp,
    ).toBeDefined()
  })

  test('that migrates retains everything', async () => {
    const seed = await newSeed()
    await seed.converge()
    seed.calls()
    await seed.ask('migrate')
    await seed.converge()
    expect((await seed.status()).lastOperation).toMatchObject({ type: 'Migrate', ...succeeded })
    expect(seed.calls()).toEqual([])
  })
})

describe('an error is reported, and nothing is created', () => {
  test.each([
    [
      'no kubeconfig',
      { secret: secretOf({ other: 'x' }) },
      'could not create client for infrastructure resources: no kubeconfig found in provider secret',
    ],
    [
      'no range of nodes',
      { cluster: clusterOf({ networking: { nodes: null } }) },
      'spec.shoot.spec.networking.nodes of the Cluster: expected a range of IPv4, found none',
    ],
    [
      'a range that is none',
      { cluster: clusterOf({ networking: { nodes: '10.0.0.0/99' } }) },
      'spec.shoot.spec.networking.nodes of the Cluster: expected a range such as 10.0.0.0/16, found "10.0.0.0/99"',
    ],
    [
      'no technical id',
      { cluster: clusterOf({ status: { technicalID: null } }) },
      'spec.shoot.status.technicalID of the Cluster: expected the name of a namespace with at most 57 characters',
    ],
    [
      'a technical id that leads elsewhere',
      { cluster: clusterOf({ status: { technicalID: '../kube-system' } }) },
      'spec.shoot.status.technicalID of the Cluster: expected the name of a namespace with at most 57 characters',
    ],
  ])('%s', async (_, options, message) => {
    const seed = await newSeed(options)
    await seed.converge()
    const { lastError } = await seed.status()
    expect(lastError.description).toContain(message)
    expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(seed.calls()).toEqual([])
  })
})

test('objects that other clients apply with the same name are adopted', async () => {
  const seed = await newSeed()
  const object = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: infraNamespace, labels: { x: 'y' } },
  }
  await applyObject(seed.admin, namespaces, object, { fieldManager: 'somebody' })
  await seed.converge()
  expect((await seed.admin.get(namespaces, { name: infraNamespace }))?.metadata.labels).toMatchObject({
    x: 'y',
    'gardener.cloud/role': 'infra',
  })
})
