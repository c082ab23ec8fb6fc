import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ControlPlaneSeed } from '../../../shared/control-plane/testing/seed.ts'
import { newLocalSeed } from './testing/local-seed.ts'

const configOf = async (seed: ControlPlaneSeed): Promise<unknown> => {
  const [config] = await seed.objectsOf('extension-controlplane-configuration-seed')
  return parse(Object(config?.data)['config.yaml'])
}
const namesOf = async (seed: ControlPlaneSeed, resource: string) =>
  (await seed.objectsOf(resource)).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
const controllerOf = async (seed: ControlPlaneSeed) => {
  const objects = await seed.objectsOf('extension-controlplane-seed')
  return Object(objects.find(({ kind }) => kind === 'Deployment')?.spec)
}
const isWrite = (call: string) => !/^(get|list) /.test(call)

describe('the control plane of a shoot with machines of Gardener', () => {
  test('has a controller that can find and read them', async () => {
    const seed = await newLocalSeed()
    await seed.converge()
    expect(await seed.lastOperation()).toMatchObject({ type: 'Create', state: 'Succeeded' })
    expect(await configOf(seed)).toEqual({
      apiVersion: 'local.provider.gardener.cloud/v1alpha1',
      kind: 'CloudProviderConfig',
      runtimeCluster: {
        namespace: 'infra-shoot--foo--bar',
        kubeconfig: '/var/run/secrets/gardener.cloud/cloudprovider/kubeconfig',
      },
      loadBalancer: { image: 'registry.example.org/envoy:v1' },
    })
    expect(await namesOf(seed, 'extension-controlplane-seed')).toEqual([
      'ServiceAccount cloud-controller-manager',
      'Role cloud-controller-manager',
      'RoleBinding cloud-controller-manager',
      'Deployment cloud-controller-manager',
    ])
    const { template } = await controllerOf(seed)
    expect(template.spec.volumes).toContainEqual({
      name: 'cloudprovider',
      secret: { secretName: 'cloudprovider' },
    })
    expect(template.spec.containers[0].volumeMounts).toContainEqual({
      name: 'cloudprovider',
      mountPath: '/var/run/secrets/gardener.cloud/cloudprovider',
      readOnly: true,
    })
  })
})

describe('the control plane of a shoot with machines of others', () => {
  test('has no access to the provider cluster', async () => {
    const seed = await newLocalSeed({ shoot: { spec: {} } })
    await seed.converge()
    expect(await configOf(seed)).not.toHaveProperty('runtimeCluster')
    expect(await namesOf(seed, 'extension-controlplane-seed')).toEqual([
      'ServiceAccount cloud-controller-manager',
      'Deployment cloud-controller-manager',
    ])
    expect(JSON.stringify(await controllerOf(seed))).not.toContain('gardener.cloud/cloudprovider')
  })
})

test('a control plane without changes takes a claim and a status write', async () => {
  const seed = await newLocalSeed()
  await seed.converge()
  await seed.reconcile()
  await seed.converge()
  await seed.reconcile()
  seed.requests.length = 0
  await seed.converge()
  expect(seed.requests.filter(isWrite)).toEqual([
    'patch controlplanes control-plane',
    'patch controlplanes/status control-plane',
    'patch controlplanes/status control-plane',
  ])
  expect(seed.requests.filter(call => !isWrite(call)).length).toBeLessThanOrEqual(12)
})

test('the password is valid for 48 minutes and is then replaced', async () => {
  const seed = await newLocalSeed()
  const passwords = async () =>
    (await seed.secretNames()).filter(name => name.startsWith('provider-local-dummy-auth'))
  await seed.converge()
  const first = await passwords()
  expect(first).toEqual(['provider-local-dummy-auth-99e7cf56'])
  await seed.clock.advance(45 * 60_000)
  await seed.reconcile()
  await seed.converge()
  expect(await passwords()).toEqual(first)
  await seed.clock.advance(3 * 60_000)
  await seed.reconcile()
  await seed.converge()
  expect(await passwords()).toHaveLength(2)
  await seed.clock.advance(11 * 60_000)
  await seed.reconcile()
  await seed.converge()
  expect(await passwords()).toHaveLength(1)
  expect(await passwords()).not.toEqual(first)
})

test('the controller is scaled down with its hibernated shoot after the API server is down', async () => {
  const seed = await newLocalSeed()
  await seed.makeApiServer(1)
  await seed.converge()
  await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
  await seed.reconcile()
  await seed.step()
  expect((await controllerOf(seed)).replicas).toBe(1)
  await seed.makeApiServer(0)
  await seed.clock.advance(2_000)
  await seed.step()
  expect((await controllerOf(seed)).replicas).toBe(0)
  await seed.changeShoot({ spec: { hibernation: { enabled: false } } })
  await seed.reconcile()
  await seed.step()
  expect((await controllerOf(seed)).replicas).toBe(1)
})

test('a forced deletion deletes everything without waiting', async () => {
  const seed = await newLocalSeed()
  await seed.converge()
  await seed.changeShoot({
    metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } },
  })
  seed.resourceManager.treat('all', 'stuck')
  seed.requests.length = 0
  await seed.remove()
  await seed.step()
  expect(await seed.isGone()).toBe(true)
  expect(seed.requests.filter(call => call.startsWith('delete managedresources')).toSorted()).toEqual(
    ['configuration-seed', 'seed', 'shoot', 'storageclasses'].map(
      name => `delete managedresources extension-controlplane-${name}`,
    ),
  )
  // The Secrets of the manifests are deleted with the ManagedResources, which are stuck.
  const left = (await seed.secretNames()).filter(name => !name.startsWith('extension-controlplane-'))
  expect(left).toEqual(['cloudprovider'])
})

test('a migration retains the objects in the shoot, and of the Secrets only the CA', async () => {
  const seed = await newLocalSeed()
  await seed.converge()
  seed.requests.length = 0
  await seed.ask('migrate')
  await seed.converge()
  expect(await seed.lastOperation()).toMatchObject({ type: 'Migrate', state: 'Succeeded' })
  expect(seed.requests.filter(call => call.startsWith('patch managedresources')).toSorted()).toEqual([
    'patch managedresources extension-controlplane-shoot',
    'patch managedresources extension-controlplane-storageclasses',
  ])
  expect((await seed.secretNames()).map(name => name.replace(/-[0-9a-f]{8}$/, ''))).toEqual([
    'ca-provider-local-controlplane',
    'cloudprovider',
  ])
  seed.requests.length = 0
  await seed.ask('restore')
  await seed.converge()
  expect(await seed.lastOperation()).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  const made = seed.requests.filter(call =>
    /^create secrets ca-provider-local-controlplane-(?!bundle)/.test(call),
  )
  expect(made).toEqual([])
})

describe('invalid input', () => {
  test('an image that could break the YAML is quoted', async () => {
    const image = 'x\nruntimeCluster: {kubeconfig: /etc/passwd}\n#'
    const seed = await newLocalSeed({
      shoot: { spec: {} },
      cloudProfile: { spec: { providerConfig: { loadBalancer: { image } } } },
    })
    await seed.converge()
    expect(await configOf(seed)).toEqual({
      apiVersion: 'local.provider.gardener.cloud/v1alpha1',
      kind: 'CloudProviderConfig',
      loadBalancer: { image },
    })
  })

  test.each<[string, object, RegExp]>([
    ['no technical id', { shoot: { spec: {}, status: {} } }, /technicalID/],
    [
      'a CloudProfile with another image',
      { cloudProfile: { spec: { providerConfig: { loadBalancer: { image: { PLANTED: 1 } } } } } },
      /loadBalancer\.image/,
    ],
  ])('%s is an error of the user, and nothing is written', async (_, options, message) => {
    const seed = await newLocalSeed(options)
    await seed.step()
    const { lastError } = (await seed.live()).status ?? {}
    expect(lastError?.description).toMatch(message)
    expect(lastError?.description).not.toContain('PLANTED')
    expect(lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(seed.requests.filter(call => isWrite(call) && !call.includes('controlplanes'))).toEqual([])
  })

  test('a CloudProfile without a config leaves the image to the controller', async () => {
    const seed = await newLocalSeed({ shoot: { spec: {}, status: { technicalID: 'a' } }, cloudProfile: {} })
    await seed.converge()
    expect(await configOf(seed)).not.toHaveProperty('loadBalancer')
  })
})
