import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodes } from '../../shared/kubernetes/core-resources.ts'
import { type ControlPlaneSeed, startControlPlaneSeed } from './harness.ts'

const namespace = 'shoot--garden--life'
const namespaced = (group: string, version: string, plural: string) => ({
  group,
  version,
  plural,
  namespaced: true,
})
const deployments = namespaced('apps', 'v1', 'deployments')

/** A bridge, a broker, a function, a resource manager and the API server of a shoot, on a real clock. */
let seed: ControlPlaneSeed
beforeAll(async () => {
  seed = await startControlPlaneSeed()
})
afterAll(() => seed.seed.close())

test('a succeeded ControlPlane has its objects in the seed and in the shoot', async () => {
  const { status } = await seed.create(namespace)
  expect(status?.lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
  const shoot = await seed.seed.resources.shoot(namespace)
  expect(shoot.url).toMatch(/^http/)
  const { items } = await seed.seed.kubernetes.list(deployments, { namespace })
  expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([
    'aws-custom-route-controller',
    'aws-ipam-controller',
    'aws-load-balancer-controller',
    'cloud-controller-manager',
    'csi-driver-controller',
    'csi-snapshot-controller',
  ])
})

test('nodes of the shoot lose Calico’s settings once there is no overlay', async () => {
  const { createKubernetes, httpTransport, openAccess } = await import(
    '../../shared/kubernetes/kubernetes.ts'
  )
  const { url } = await seed.seed.resources.shoot(namespace)
  const transport = httpTransport({ access: openAccess(url) })
  const shoot = createKubernetes({ transport: transport.send, clock: seed.seed.clock })
  const key = { name: 'node' }
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'KubeletReady' },
    { type: 'NetworkUnavailable', status: 'False', reason: 'CalicoIsUp' },
  ]
  await shoot.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: key })
  await shoot.patch(nodes, key, { status: { conditions } }, { subresource: 'status' })
  await seed.changeShoot(namespace, {
    spec: { networking: { providerConfig: { overlay: { enabled: false } } } },
  })
  const { status } = await seed.ask(namespace, 'reconcile')
  expect(status?.lastOperation).toMatchObject({ state: 'Succeeded' })
  const node = await shoot.get(nodes, key)
  transport.close()
  expect(Object(node?.status).conditions).toEqual(conditions.slice(0, 1))
})

test('a deletion leaves only objects for the garbage collector', async () => {
  await seed.remove(namespace)
  const left = (await seed.secretNames(namespace)).filter(
    name => !/^gardener|^extension-controlplane-(seed|configuration-seed)-/.test(name),
  )
  expect(left).toEqual(['cloudprovider'])
})

test('a ControlPlane waits for a resource manager that cannot apply it, and continues once it can', async () => {
  const other = 'shoot--garden--slow'
  const fault = 'sandbox.trellis.gardener.cloud/resources'
  const created = seed.create(other, { [fault]: 'failing' })
  const waiting = await seed.until(() => {
    const { lastOperation } = seed.live(other)?.status ?? {}
    return lastOperation?.description?.includes('ApplyFailed') ? lastOperation : undefined
  })
  expect(waiting.state).toBe('Processing')
  await seed.changeNamespace(other, { [fault]: null })
  expect((await created).status?.lastOperation).toMatchObject({ type: 'Create', state: 'Succeeded' })
})
