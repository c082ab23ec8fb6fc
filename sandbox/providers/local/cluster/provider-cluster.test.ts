import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { createProviderCluster } from './provider-cluster.ts'

const core = (plural: string): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced: plural !== 'namespaces',
})
const ipPools = { group: 'crd.projectcalico.org', version: 'v1', plural: 'ippools', namespaced: false }
const of = (kind: string, fields: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a', namespace: 'infra' },
  ...fields,
})
const key = { name: 'a', namespace: 'infra' }
const manager = { fieldManager: 'x' }

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const cluster = createProviderCluster({ clock, scale: 1 })
  const { kubernetes } = cluster
  const namespace = await kubernetes.apply(
    core('namespaces'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'infra' } },
    manager,
  )
  return { clock, cluster, kubernetes, namespace }
}

describe('a provider cluster', () => {
  test('pods become ready after a while', async () => {
    const { kubernetes, clock } = await setUp()
    await kubernetes.apply(core('pods'), of('Pod', { spec: {} }), manager)
    await clock.advance(3_000)
    expect((await kubernetes.get(core('pods'), key))?.status).toBeUndefined()
    await clock.advance(1_000)
    expect((await kubernetes.get(core('pods'), key))?.status).toMatchObject({
      conditions: [{ type: 'Ready', status: 'True' }],
    })
  })

  test('a load balancer gets an address, and no other Service does', async () => {
    const { kubernetes, clock } = await setUp()
    await kubernetes.apply(core('services'), of('Service', { spec: { type: 'LoadBalancer' } }), manager)
    const other = { ...key, name: 'b' }
    await kubernetes.apply(
      core('services'),
      { ...of('Service', { spec: { type: 'ClusterIP' } }), metadata: other },
      manager,
    )
    await clock.advance(6_000)
    expect((await kubernetes.get(core('services'), key))?.status).toEqual({
      loadBalancer: { ingress: [{ ip: expect.stringMatching(/^172\.18\.255\.\d+$/), ipMode: 'VIP' }] },
    })
    expect((await kubernetes.get(core('services'), other))?.status).toBeUndefined()
  })

  test('deletions take their time, and deleting a namespace deletes everything that is in it or belongs to it', async () => {
    const { kubernetes, clock, namespace } = await setUp()
    const { uid } = namespace.metadata
    const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'infra', uid }
    await kubernetes.apply(
      ipPools,
      {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'IPPool',
        metadata: { name: 'p', ownerReferences: [owner] },
      },
      manager,
    )
    await kubernetes.apply(core('pods'), of('Pod', { spec: {} }), manager)
    await clock.advance(5_000)
    await kubernetes.delete(core('namespaces'), { name: 'infra' })
    await clock.advance(4_000)
    expect(await kubernetes.get(core('pods'), key)).toBeDefined()
    await clock.advance(5_000)
    expect(await kubernetes.get(core('pods'), key)).toBeUndefined()
    expect((await kubernetes.get(core('namespaces'), { name: 'infra' }))?.status).toEqual({
      phase: 'Terminating',
    })
    await clock.advance(1_000)
    expect(await kubernetes.get(core('namespaces'), { name: 'infra' })).toBeUndefined()
    expect(await kubernetes.get(ipPools, { name: 'p' })).toBeUndefined()
  })

  test('the cluster reports received requests, but not its internal ones', async () => {
    const { kubernetes, cluster, clock } = await setUp()
    const calls: string[] = []
    const end = cluster.onCall(({ action, about, answer }) => calls.push(`${action}${about} ${answer}`))
    await kubernetes.apply(core('pods'), of('Pod', { spec: {} }), manager)
    await clock.advance(5_000)
    await kubernetes.get(core('pods'), { ...key, name: 'b' })
    await kubernetes.list(core('pods'), { namespace: 'infra' })
    await kubernetes.delete(core('pods'), key)
    end()
    await kubernetes.list(core('pods'))
    expect(calls).toEqual([
      'apply pods infra/a 201',
      'get pods infra/b 404',
      'list pods 200',
      'delete pods infra/a 200',
    ])
  })

  test('a closed cluster stops all activity', async () => {
    const { kubernetes, cluster, clock } = await setUp()
    await kubernetes.apply(core('pods'), of('Pod', { spec: {} }), manager)
    cluster.close()
    await clock.advance(60_000)
    expect((await kubernetes.get(core('pods'), key))?.status).toBeUndefined()
  })
})
