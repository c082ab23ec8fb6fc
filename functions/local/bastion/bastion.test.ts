import { describe, expect, test } from 'vitest'
import { kinds } from '../../../shared/contract/kinds.ts'
import { core } from '../../testing/function-seed.ts'
import { clusterOf, infraNamespace, namespace, secretOf } from '../testing/provider-seed.ts'
import { newSeed, userData } from './testing/seed.ts'

const key = { name: 'bastion-cli-abc', namespace: infraNamespace }
const [secrets, pods, services] = [core('secrets'), core('pods'), core('services')]
const policies = core('networkpolicies', true, 'networking.k8s.io')
const all = [secrets, pods, services, policies]
const own = { name: 'cli-abc', namespace }
type Seed = Awaited<ReturnType<typeof newSeed>>
const present = async (seed: Seed) =>
  (await Promise.all(all.map(resource => seed.admin.get(resource, key)))).filter(
    object => object !== undefined,
  )
const forced = { 'confirmation.gardener.cloud/force-deletion': 'true' }

describe('a bastion', () => {
  test('is a pod that runs the user data, behind a load balancer with the address in its status', async () => {
    const seed = await newSeed()
    await seed.converge()
    const [secret, pod, service] = await present(seed)
    expect(secret).toMatchObject({ data: { userdata: userData } })
    expect(Object(pod?.spec).containers).toMatchObject([
      { name: 'machine', image: 'registry.example.org/node:1.0.0', securityContext: { privileged: true } },
    ])
    const [ingress] = Object(Object(service?.status).loadBalancer).ingress
    expect(ingress).toEqual({ ip: expect.stringMatching(/^172\.18\.255\./), ipMode: 'VIP' })
    expect(await seed.status()).toMatchObject({
      ingress,
      lastOperation: { state: 'Succeeded', description: 'Successfully reconciled Bastion' },
    })
  })

  test('is Processing while it waits, names the missing part, and reports readiness soon', async () => {
    const seed = await newSeed()
    const start = seed.clock.now()
    await seed.converge()
    // The simulated load balancer takes 6 s. The Go extension polls after 5 s, and again after 10 s.
    expect(seed.clock.now() - start).toBeLessThan(10_000)
    const states = seed.states().map(state => `${Object(state).state}: ${Object(state).description}`)
    expect([...new Set(states)]).toEqual([
      'Processing: Reconciling the Bastion',
      'Processing: waiting for Bastion LoadBalancer to get ready: service is missing ingress status',
      'Succeeded: Successfully reconciled Bastion',
    ])
  })

  test('that never becomes ready is an Error after five minutes', async () => {
    const seed = await newSeed()
    seed.provider.close()
    await seed.converge()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Error',
      description: expect.stringContaining('service is missing ingress status'),
    })
  })

  test('without changes takes five reads of the provider cluster, and a claim and a status write in the seed', async () => {
    const seed = await newSeed()
    await seed.converge()
    seed.calls()
    await seed.ask('reconcile')
    seed.takeWrites()
    await seed.converge()
    expect(seed.calls().map(call => call.split(' ')[0])).toEqual(['get', 'get', 'get', 'get', 'get'])
    expect(seed.takeWrites().map(({ resource }) => resource)).toEqual([
      'bastions',
      'bastions/status',
      'bastions/status',
    ])
  })

  test('retains the image of its pod if the CloudProfile changes', async () => {
    const seed = await newSeed()
    await seed.converge()
    const none = { spec: { cloudProfile: { spec: { machineTypes: [], machineImages: [] } } } }
    const clusters = {
      group: 'extensions.gardener.cloud',
      version: 'v1alpha1',
      plural: 'clusters',
      namespaced: false,
    }
    await seed.kubernetes.patch(clusters, { name: namespace }, none)
    seed.providerWrites()
    await seed.ask('reconcile')
    await seed.converge()
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
    expect(seed.providerWrites()).toEqual([])
  })

  test('gets a new pod if its pod is deleted by others', async () => {
    const seed = await newSeed()
    await seed.converge()
    const before = (await seed.admin.get(pods, key))?.metadata.uid
    await seed.admin.delete(pods, key)
    await seed.ask('reconcile')
    await seed.converge()
    const after = await seed.admin.get(pods, key)
    expect(after?.metadata.uid).not.toBe(before)
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
  })

  test('with an unready pod is waited for, even if its load balancer has an address', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.admin.delete(pods, key)
    await seed.clock.advance(60_000)
    expect(await seed.admin.get(pods, key)).toBeUndefined()
    await seed.ask('reconcile')
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Processing',
      description: 'waiting for Bastion Pod to get ready',
    })
  })
})

describe('a bastion that is deleted', () => {
  test('is gone when all four of its objects are', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.remove()
    const start = seed.clock.now()
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Processing',
      description: 'waiting for 4 bastion resources to be deleted',
    })
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await present(seed)).toEqual([])
    // The simulated pod takes 5 s to terminate. The Go extension polls after 10 s.
    expect(seed.clock.now() - start).toBeLessThan(8_000)
  })

  test('retains foreign objects with its name', async () => {
    const seed = await newSeed()
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: key, data: { mine: 'eA==' } }
    await seed.admin.apply(secrets, object, { fieldManager: 'somebody-else', force: false })
    // Without a finalizer the API server deletes the object, and no step runs.
    const finalizers = ['extensions.gardener.cloud/bastion']
    await seed.kubernetes.patch(kinds.Bastion.resource, own, { metadata: { finalizers } })
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(seed.calls().some(call => call.includes('secrets'))).toBe(true)
    expect(await present(seed)).toHaveLength(1)
  })

  test('deletes everything without waiting in a forced deletion', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.kubernetes.patch(kinds.Bastion.resource, own, { metadata: { annotations: forced } })
    await seed.remove()
    await seed.step()
    expect(await seed.live()).toBeUndefined()
    expect((await present(seed)).filter(one => one.metadata.deletionTimestamp === undefined)).toEqual([])
  })

  test('does not complete a forced deletion while the provider cluster refuses', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.kubernetes.patch(kinds.Bastion.resource, own, { metadata: { annotations: forced } })
    await seed.remove()
    seed.provider.server.faults.add({ effect: { kind: 'answer', code: 403 }, times: 4 })
    await seed.step()
    expect((await seed.status()).lastOperation.state).toBe('Error')
  })

  test('completes a forced deletion without the Secret and logs the orphaned objects', async () => {
    const seed = await newSeed()
    await seed.converge()
    await seed.kubernetes.delete(secrets, { name: 'cloudprovider', namespace })
    await seed.kubernetes.patch(kinds.Bastion.resource, own, { metadata: { annotations: forced } })
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(seed.lines).toContainEqual(
      expect.objectContaining({
        message: 'forced deletion is incomplete',
        mayExist: expect.stringContaining(`pods ${infraNamespace}/bastion-`),
        why: expect.stringContaining('Secret "cloudprovider" not found'),
      }),
    )
  })
})

test.each([
  [
    'no Secret',
    { secret: null },
    'could not create client for bastion resources: could not retrieve provider secret: Secret "cloudprovider" not found',
  ],
  [
    'no kubeconfig',
    { secret: secretOf({}) },
    'could not create client for bastion resources: no kubeconfig found in provider secret',
  ],
  [
    'a machine type that there is not',
    { cluster: clusterOf({ cloudProfile: { bastion: { machineType: { name: 'gone' } } } }) },
    'cannot choose the machine of the bastion: spec.cloudProfile.spec.bastion.machineType.name: unknown machine type gone',
  ],
  [
    'no image of a container',
    { cluster: clusterOf({ cloudProfile: { providerConfig: { machineImages: [] } } }) },
    'spec.cloudProfile.spec.providerConfig.machineImages: expected an image of local 1.0.0 for local (architecture amd64), found none',
  ],
  [
    'a CloudProfileConfig of another form',
    { cluster: clusterOf({ cloudProfile: { providerConfig: { machineImages: 'x' } } }) },
    'cannot use spec.cloudProfile.spec.providerConfig of the Cluster: machineImages: expected a list, found a string',
  ],
])('%s is reported, and nothing is created', async (_, options, message) => {
  const seed = await newSeed(options)
  await seed.converge()
  const { lastError } = await seed.status()
  expect(lastError.description).toContain(message)
  expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  expect(seed.providerWrites()).toEqual([])
})
