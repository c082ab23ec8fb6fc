import { describe, expect, test } from 'vitest'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { core } from '../../testing/function-seed.ts'
import { clusterOf, infraNamespace, namespace } from '../testing/provider-seed.ts'
import { exposureOf, newSeed } from './testing/seed.ts'

const services = core('services')
const slices = core('endpointslices', true, 'discovery.k8s.io')
const service = { name: 'exposure-exp', namespace: infraNamespace }
const dual = clusterOf({ networking: { ipFamilies: ['IPv4', 'IPv6'] } })
type Seed = Awaited<ReturnType<typeof newSeed>>

const addressesIn = async (seed: Seed) =>
  Object.fromEntries(
    (await seed.admin.list(slices)).items.map(({ metadata, endpoints }) => [
      metadata.name,
      (endpoints as { readonly addresses: readonly string[] }[]).flatMap(({ addresses }) => addresses),
    ]),
  )

describe('an exposure', () => {
  test('is a load balancer with its address in the status, and the endpoints of each family', async () => {
    const seed = await newSeed({ cluster: dual })
    await seed.converge()
    const made = await seed.admin.get(services, service)
    expect(made?.spec).toMatchObject({
      type: 'LoadBalancer',
      ipFamilyPolicy: 'PreferDualStack',
      ports: [{ name: 'https', port: 443, targetPort: 443 }],
    })
    expect(await addressesIn(seed)).toEqual({
      'exposure-exp-ipv4': ['10.0.128.5'],
      'exposure-exp-ipv6': ['fd00::5'],
    })
    expect(await seed.status()).toMatchObject({
      ingress: Object(Object(made?.status).loadBalancer).ingress,
      lastOperation: { state: 'Succeeded' },
    })
  })

  test('has exactly the endpoints that it names', async () => {
    const seed = await newSeed()
    await seed.converge()
    const endpoints = ['10.0.128.7', '10.0.128.8'].map(address => ({
      nodeName: address,
      addresses: [{ type: 'InternalIP', address }],
    }))
    seed.providerWrites()
    await seed.ask('reconcile', { spec: { endpoints } })
    await seed.converge()
    expect(await addressesIn(seed)).toEqual({ 'exposure-exp-ipv4': ['10.0.128.7', '10.0.128.8'] })
    expect(seed.providerWrites().map(({ name }) => name)).toEqual(['exposure-exp-ipv4'])
  })

  test('without changes takes a read for each object, and a claim and a status write in the seed', async () => {
    const seed = await newSeed({ cluster: dual })
    await seed.converge()
    seed.calls()
    await seed.ask('reconcile')
    seed.takeWrites()
    await seed.converge()
    expect(seed.calls().map(call => call.split(' ')[0])).toEqual(['get', 'get', 'get'])
    expect(seed.takeWrites().map(({ resource }) => resource)).toEqual([
      'selfhostedshootexposures',
      'selfhostedshootexposures/status',
      'selfhostedshootexposures/status',
    ])
  })

  test('without an address is Processing for five minutes and then an Error', async () => {
    const seed = await newSeed()
    seed.provider.close()
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Processing',
      description: 'LoadBalancer not yet ready',
    })
    await seed.converge()
    expect((await seed.status()).lastOperation).toMatchObject({ state: 'Error' })
  })
})

describe('an exposure that is deleted', () => {
  test('deletes its load balancer first and then its endpoints', async () => {
    const seed = await newSeed({ cluster: dual })
    await seed.converge()
    await seed.remove()
    await seed.step()
    expect((await seed.status()).lastOperation).toMatchObject({
      state: 'Processing',
      description: 'waiting for Service to be deleted',
    })
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.admin.get(services, service)).toBeUndefined()
    expect(await addressesIn(seed)).toEqual({})
  })

  test('by force does not wait', async () => {
    const seed = await newSeed({ cluster: dual })
    await seed.converge()
    const forced = { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } }
    await seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: forced } })
    await seed.remove()
    await seed.step()
    expect(await seed.live()).toBeUndefined()
    expect((await seed.admin.get(services, service))?.metadata.deletionTimestamp).toBeDefined()
    expect(await addressesIn(seed)).toEqual({})
  })

  test('does not complete a forced deletion while the provider cluster refuses', async () => {
    const seed = await newSeed()
    await seed.converge()
    const forced = { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } }
    await seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: forced } })
    await seed.remove()
    seed.provider.server.faults.add({ effect: { kind: 'answer', code: 403 } })
    await seed.step()
    expect((await seed.status()).lastOperation.state).toBe('Error')
  })
})

const node = (address: string) => [{ nodeName: 'n', addresses: [{ type: 'InternalIP', address }] }]

test.each([
  [
    'no credentials',
    { credentialsRef: null },
    'credentialsRef is required for the provider-local SelfHostedShootExposure implementation but is not set',
  ],
  [
    'a Secret that there is not',
    { credentialsRef: { name: 'gone', namespace } },
    'could not create provider client: could not retrieve provider secret: Secret "gone" not found',
  ],
  [
    'a Secret in another namespace',
    { credentialsRef: { name: 'cloudprovider', namespace: 'kube-system' } },
    `spec.credentialsRef.namespace: expected ${namespace}, the namespace of the exposure`,
  ],
  [
    'another kind of credentials',
    { credentialsRef: { kind: 'WorkloadIdentity', name: 'x', namespace } },
    'spec.credentialsRef.kind: expected Secret, found another kind',
  ],
  [
    'no endpoint of a family',
    { endpoints: node('fd00::1') },
    'could not build IPv4 EndpointSlice: no IPv4 endpoints found for exposure "exp"',
  ],
  [
    'an address that is none',
    { endpoints: node('zz') },
    'could not build IPv4 EndpointSlice: could not parse address "zz" for endpoint "n"',
  ],
])('%s is reported, and nothing is created', async (_, spec, message) => {
  const { credentialsRef, ...rest } = exposureOf(spec).spec as Readonly<Record<string, unknown>>
  const object = { ...exposureOf(), spec: { ...rest, ...(credentialsRef ? { credentialsRef } : {}) } }
  const seed = await newSeed({ object })
  await seed.converge()
  const { lastError } = await seed.status()
  expect(lastError.description).toContain(message)
  expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  expect(seed.calls()).toEqual([])
})
