import { describe, expect, test } from 'vitest'
import { configMaps, scrapeConfigs } from './monitoring/resources.ts'
import { newSeed, shootOf } from './testing/seed.ts'

const config = (fields: object) => ({
  providerConfig: {
    apiVersion: 'calico.networking.extensions.gardener.cloud/v1alpha1',
    kind: 'NetworkConfig',
    ...fields,
  },
})
const own = ['patch networks network', 'patch networks/status network', 'patch networks/status network']
const namesOf = (objects: readonly { readonly metadata: { readonly name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name)

describe('a Network without changes', () => {
  test('takes a claim, a status write and five reads', async () => {
    const seed = await newSeed()
    await seed.step()
    await seed.ask('reconcile')
    seed.requests.length = 0
    await seed.step()
    expect(seed.writes()).toEqual(own)
    expect(seed.requests).toHaveLength(own.length + 5)
  })

  test('needs no additional writes if the API server defaults fields of its monitoring objects', async () => {
    const seed = await newSeed()
    await seed.step()
    const key = { name: 'shoot-calico-felix', namespace: seed.namespace }
    await seed.kubernetes.patch(scrapeConfigs, key, { spec: { scrapeClass: 'default' } })
    await seed.ask('reconcile')
    seed.requests.length = 0
    await seed.step()
    expect(seed.writes()).toEqual(own)
  })
})

describe('the monitoring of Calico', () => {
  test('is recreated, changed back and labelled after changes by others', async () => {
    const seed = await newSeed()
    await seed.step()
    const before = await seed.monitoring()
    const { namespace, kubernetes } = seed
    const felix = { name: 'shoot-calico-felix', namespace }
    await kubernetes.patch(scrapeConfigs, felix, { metadata: { labels: null }, spec: { scheme: 'HTTP' } })
    await kubernetes.delete(scrapeConfigs, { name: 'shoot-calico-typha', namespace })
    const dashboards = { name: 'calico-dashboards', namespace }
    const data = { 'calico-felix-dashboard.json': '{}', other: 'x' }
    await kubernetes.patch(configMaps, dashboards, { data })
    await seed.ask('reconcile')
    await seed.step()
    const specOf = (objects: typeof before) =>
      objects.map(({ metadata, data, spec }) => [metadata.name, metadata.labels, data, spec])
    expect(specOf(await seed.monitoring())).toEqual(specOf(before))
  })

  test('has no extra rule', async () => {
    const seed = await newSeed()
    await seed.step()
    const before = await seed.monitoring()
    const key = { name: 'shoot-calico-felix', namespace: seed.namespace }
    const { metricRelabelings } = Object((await seed.kubernetes.get(scrapeConfigs, key))?.spec)
    const more = [...metricRelabelings, { action: 'drop', sourceLabels: ['__name__'], regex: 'felix_.+' }]
    await seed.kubernetes.patch(scrapeConfigs, key, { spec: { metricRelabelings: more } })
    await seed.ask('reconcile')
    await seed.step()
    const specOf = (objects: typeof before) => objects.map(({ metadata, spec }) => [metadata.name, spec])
    expect(specOf(await seed.monitoring())).toEqual(specOf(before))
  })

  test('includes BIRD as long as it has an exporter', async () => {
    const seed = await newSeed({ spec: config({ birdExporter: { enabled: true } }) })
    await seed.step()
    expect(namesOf(await seed.monitoring())).toContain('shoot-calico-bird')
    await seed.change({ spec: { providerConfig: { birdExporter: { enabled: false } } } })
    await seed.ask('reconcile')
    await seed.step()
    expect(namesOf(await seed.monitoring())).toEqual([
      'calico-dashboards',
      'shoot-calico-felix',
      'shoot-calico-typha',
    ])
  })

  test('is only the dashboards in a seed without the Prometheus operator', async () => {
    const seed = await newSeed({ hasPrometheus: false })
    await seed.step()
    expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
    expect(namesOf(await seed.monitoring())).toEqual(['calico-dashboards'])
    await seed.remove()
    await seed.converge()
    expect(await seed.isGone()).toBe(true)
  })

  test('has dashboards that match their names', async () => {
    const seed = await newSeed()
    await seed.step()
    const [dashboards] = await seed.monitoring()
    const files = Object.entries(Object(dashboards?.data))
    expect(files.map(([name]) => name).sort()).toEqual(
      ['bird', 'felix', 'typha'].map(component => `calico-${component}-dashboard.json`),
    )
    for (const [, text] of files) expect(JSON.parse(String(text)).title).toMatch(/calico/i)
  })
})

describe('the status', () => {
  test('has provider and families at the end, and no operation before', async () => {
    const seed = await newSeed({ spec: { ipFamilies: ['IPv6', 'IPv4'] } })
    const operations: unknown[] = []
    seed.interfereWith({
      after: async () => void operations.push((await seed.live()).status?.lastOperation),
    })
    await seed.step()
    seed.interfereWith({})
    const { status } = await seed.live()
    expect(status).toMatchObject({
      providerStatus: {
        apiVersion: 'calico.networking.extensions.gardener.cloud/v1alpha1',
        kind: 'NetworkStatus',
      },
      ipFamilies: ['IPv4', 'IPv6'],
      lastOperation: { type: 'Create', state: 'Succeeded' },
    })
    expect(operations.slice(0, -1)).not.toContainEqual(expect.objectContaining({ state: 'Succeeded' }))
    expect(operations).not.toContainEqual(expect.objectContaining({ type: 'Reconcile' }))
  })

  test('has the families of the nodes', async () => {
    const shoot = shootOf({
      status: { constraints: [{ type: 'DualStackNodesMigrationReady', status: 'False' }] },
    })
    const seed = await newSeed({
      spec: { ...config({ ipv6: { mode: 'Always' } }), ipFamilies: ['IPv4', 'IPv6'] },
      shoot,
    })
    await seed.step()
    expect((await seed.live()).status?.ipFamilies).toEqual(['IPv4'])
  })
})

describe('a user gets an error with a code, before anything is created, for', () => {
  test.each<[string, object, string]>([
    [
      'a range of pods that is none',
      { podCIDR: '10.0.0.0/33' },
      'invalid network resource: spec.podCIDR: expected a CIDR such as 10.0.0.0/16, found "10.0.0.0/33"',
    ],
    [
      'a range of Services that is none',
      { serviceCIDR: 'x' },
      'invalid network resource: spec.serviceCIDR: expected a CIDR',
    ],
    [
      'a family twice',
      { ipFamilies: ['IPv4', 'IPv4'] },
      'invalid network resource: spec.ipFamilies: expected each family once',
    ],
    [
      'another kind',
      config({ kind: 'Foo' }),
      'could not decode spec.providerConfig: kind: expected "NetworkConfig", found "Foo"',
    ],
    ['an unknown field', config({ foo: 1 }), 'strict decoding error: unknown field "foo"'],
    [
      'a mode that the pool has not',
      config({ ipv4: { pool: 'vxlan', mode: 'Off' } }),
      'invalid network config: spec.providerConfig.ipv4.mode: expected Always or Never',
    ],
  ])('%s', async (_, spec, message) => {
    const seed = await newSeed({ spec })
    await seed.step()
    expect((await seed.lastError())?.description).toContain(message)
    expect((await seed.lastError())?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(seed.writes().filter(call => !call.includes('networks'))).toEqual([])
    expect((await seed.live()).metadata.finalizers).toBeUndefined()
  })

  test.each<[string, object, string]>([
    [
      'no kube-proxy without eBPF',
      { kubeProxy: { enabled: false } },
      'spec.kubernetes.kubeProxy.enabled: Disabling kube-proxy is forbidden in conjunction with calico without running in ebpf dataplane',
    ],
  ])('%s', async (_, kubernetes, message) => {
    const seed = await newSeed({ shoot: shootOf({ kubernetes }) })
    await seed.step()
    expect((await seed.lastError())?.description).toContain(message)
    expect((await seed.lastError())?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(seed.writes().filter(call => !call.includes('networks'))).toEqual([])
  })

  test('a mode of a kube-proxy that is off', async () => {
    const kubernetes = { kubeProxy: { enabled: false, mode: 'IPTables' } }
    const seed = await newSeed({
      spec: config({ ebpfDataplane: { enabled: true } }),
      shoot: shootOf({ kubernetes }),
    })
    await seed.step()
    expect((await seed.lastError())?.description).toContain(
      'kube-proxy mode must not be set if kube-proxy is disabled',
    )
  })
})

test('an invalid version of Kubernetes is an error without a code', async () => {
  const seed = await newSeed({ shoot: shootOf({ kubernetes: { version: 'new' } }) })
  await seed.step()
  expect((await seed.lastError())?.description).toContain("failed to parse the Kubernetes version 'new'")
  expect((await seed.lastError())?.codes ?? []).toEqual([])
})

test('text of a user cannot escape from the text around it', async () => {
  const method = 'interface=eth0"\n            - name: EVIL\n              value: "1'
  const seed = await newSeed({
    spec: config({ ipv4: { autoDetectionMethod: method } }),
    shoot: shootOf({ networking: { nodes: null } }),
  })
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  const node = (await seed.objects()).find(({ kind }) => kind === 'DaemonSet')
  const containers: readonly { env?: readonly { name: string; value?: string }[] }[] = Object(node?.spec)
    .template.spec.containers
  const variables = containers.flatMap(({ env = [] }) => env)
  expect(
    variables.filter(({ name }) => name === 'IP_AUTODETECTION_METHOD').map(({ value }) => value),
  ).toEqual([method, method])
  expect(variables.filter(({ name }) => name === 'EVIL')).toEqual([])
})

test('a former ManagedResource in deletion is waited for and then recreated', async () => {
  const seed = await newSeed({ instant: false })
  await seed.step()
  await seed.resourceManager.work()
  const managedResources = {
    group: 'resources.gardener.cloud',
    version: 'v1alpha1',
    plural: 'managedresources',
    namespaced: true,
  }
  const key = { name: 'extension-networking-calico-config', namespace: seed.namespace }
  await seed.kubernetes.delete(managedResources, key)
  await seed.ask('reconcile')
  await seed.step()
  expect(await seed.lastOperation()).toMatchObject({ state: 'Processing' })
  await seed.converge()
  expect(await seed.lastOperation()).toMatchObject({ state: 'Succeeded' })
  expect((await seed.managedResource())?.metadata.deletionTimestamp).toBeUndefined()
})
