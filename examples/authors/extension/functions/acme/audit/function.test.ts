import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import type { KubernetesObject } from '@trellis-gardener/trellis'
import {
  createSteppedSeed,
  functionPromises,
  objectCloud,
  shootObjects,
} from '@trellis-gardener/trellis/testing'
import { definition } from './function.ts'

const namespace = 'shoot--garden--rose'
const object: KubernetesObject = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Extension',
  metadata: { name: 'acme-audit', namespace },
  spec: { type: 'acme-audit' },
}
const beside = (version = '1.34.2') =>
  shootObjects({ namespace, shoot: { spec: { kubernetes: { version } } } })

const secrets = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const clusters = {
  group: 'extensions.gardener.cloud',
  version: 'v1alpha1',
  plural: 'clusters',
  namespaced: false,
}
const managedResources = {
  ...secrets,
  group: 'resources.gardener.cloud',
  version: 'v1alpha1',
  plural: 'managedresources',
}
const labelSelector = 'manager-identity=acme-audit'

const startSeed = (t: { after(close: () => void): void }, version?: string) => {
  const seed = createSteppedSeed({ definition, objects: beside(version) })
  t.after(() => seed.close())
  const generated = async (config: string) => {
    const { items } = await seed.kubernetes.list(secrets, {
      namespace,
      labelSelector: `${labelSelector},name=${config}`,
    })
    return items.map(({ data }) => data)
  }
  const manifests = async () => {
    const found = await seed.kubernetes.get(managedResources, { namespace, name: 'acme-audit' })
    const [{ name }] = Object(found?.spec).secretRefs
    const data = Object((await seed.kubernetes.get(secrets, { namespace, name }))?.data)
    return Buffer.from(data['data.yaml'], 'base64').toString()
  }
  return { seed, generated, manifests }
}

const certificateIn = (pem: string) => new X509Certificate(Buffer.from(pem, 'base64'))

test('the certificate of the server is signed by the CA, for the names of the Service', async t => {
  const { seed, generated } = startSeed(t)
  const { lastOperation } = Object(await seed.apply(object)).status
  assert.equal(lastOperation.state, 'Succeeded', lastOperation.description)
  const [authority] = await generated('ca-acme-audit')
  const [server] = await generated('acme-audit-tls')
  const certificate = certificateIn(Object(server)['tls.crt'])
  assert.ok(certificate.verify(certificateIn(Object(authority)['ca.crt']).publicKey))
  assert.ok(certificate.checkHost(`acme-audit.${namespace}.svc`))
  const [health] = Object(await seed.check(object)).status.conditions
  assert.equal(health.status, 'True', health.message)
})

for (const [version, tag] of [
  ['1.33.5', 'v1.2.0'],
  ['1.34.2', 'v2.0.0'],
] as const)
  test(`a shoot of Kubernetes ${version} has the image ${tag}`, async t => {
    const { seed, manifests } = startSeed(t, version)
    await seed.apply(object)
    assert.match(await manifests(), new RegExp(`registry\\.example\\.com/acme/audit:${tag}`))
  })

test('a rotation of the shoot creates a new CA beside the old one', async t => {
  const { seed, generated } = startSeed(t)
  await seed.apply(object)
  const certificateAuthorities = { phase: 'Preparing', lastInitiationTime: '2026-01-01T00:00:01Z' }
  const status = { credentials: { rotation: { certificateAuthorities } } }
  await seed.kubernetes.patch(clusters, { name: namespace }, { spec: { shoot: { status } } })
  await seed.apply(object)
  assert.equal((await generated('ca-acme-audit')).length, 2)
})

test('a migration keeps only the CA, and a deletion nothing', async t => {
  const { seed } = startSeed(t)
  await seed.apply(object)
  const names = async () =>
    (await seed.kubernetes.list(secrets, { namespace, labelSelector })).items.map(
      ({ metadata }) => metadata.labels?.name,
    )
  assert.deepEqual((await names()).sort(), ['acme-audit-tls', 'ca-acme-audit', 'ca-acme-audit-bundle'])
  await seed.request(object, 'migrate')
  assert.deepEqual((await names()).sort(), ['ca-acme-audit'])
  await seed.request(object, 'restore')
  assert.equal(await seed.remove(object), undefined)
  assert.deepEqual(await names(), [])
})

/** The manifests name generated Secrets, which differ in every seed. */
const cloud = () => {
  const { things, ...others } = objectCloud({ resources: [managedResources] })
  const withoutContent: typeof things = async kubernetes =>
    (await things(kubernetes)).map(thing => ({ ...thing, content: {} }))
  return { ...others, things: withoutContent }
}
const example = { object, beside: beside() }
for (const { promise, hold } of functionPromises({
  definition,
  example,
  cloud,
  made: ['managedresources/acme-audit'],
  marksOwner: false,
}))
  test(promise, hold)
