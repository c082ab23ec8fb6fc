import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { desiredBastion, targetsOf } from '../../functions/local/bastion/desired.ts'
import { desiredNamespace, desiredNetwork } from '../../functions/local/infrastructure/desired.ts'
import {
  ensureObjects,
  fieldManager,
  type ProviderObject,
  providerResources,
  removeObjects,
} from '../../functions/local/provider/local.ts'
import { desiredExposure } from '../../functions/local/selfhostedshootexposure/desired.ts'
import { exposureOf } from '../../functions/local/selfhostedshootexposure/testing/seed.ts'
import { clusterOf, infraNamespace, objectOf } from '../../functions/local/testing/provider-seed.ts'
import { ipPoolDefinition } from '../../sandbox/providers/local/cluster/provider-cluster.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Bastion, Cluster, SelfHostedShootExposure } from '../../shared/contract/objects.ts'
import { createKubernetes, httpTransport, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

const cluster = clusterOf({
  networking: { ipFamilies: ['IPv4', 'IPv6'] },
  status: { networking: { nodes: ['fd00:1::/64'] } },
  shoot: { provider: { workers: [{ name: 'cp', controlPlane: {} }] } },
}) as Cluster
const bastion = objectOf('Bastion', 'cli-abc', { userData: btoa('#!/bin/bash\n'), ingress: [] }) as Bastion
const exposure = exposureOf() as SelfHostedShootExposure
const definitions = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
}

describeWith('kube', 'what local functions apply, with kube-apiserver', programs => {
  let kubernetes: Kubernetes
  let close = async () => {}
  beforeAll(async () => {
    const server = await startKubeApiServer(programs)
    const transport = httpTransport({ access: server.access })
    close = async () => {
      transport.close()
      await server.close()
    }
    kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
    await kubernetes.create(definitions, ipPoolDefinition)
    for (let tries = 0; ; tries++) {
      const isServed = await kubernetes.list(providerResources.IPPool).then(
        () => true,
        () => false,
      )
      if (isServed) break
      if (tries === 100) throw new Error('the CRD is not served')
      await systemClock.sleep(100)
    }
    // No controller creates one here, and a pod is refused without it.
    await ensureObjects(kubernetes, [desiredNamespace(cluster)])
    await kubernetes.create(
      { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true },
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: infraNamespace } },
    )
  })
  afterAll(() => close())

  const namespaceObject = async () => {
    const namespace = await kubernetes.get(providerResources.Namespace, { name: infraNamespace })
    if (namespace === undefined) throw new Error('there is no namespace')
    return namespace
  }
  const all: readonly (readonly [string, () => Promise<readonly ProviderObject[]>])[] = [
    [
      'an Infrastructure',
      async () => [desiredNamespace(cluster), ...desiredNetwork(cluster)(await namespaceObject())],
    ],
    ['a Bastion', async () => desiredBastion(bastion, infraNamespace, 'registry.example.org/node:1.0.0')],
    ['a SelfHostedShootExposure', async () => desiredExposure(exposure, cluster)],
  ]

  describe.each(all)('the objects of %s', (_, desiredOf) => {
    test('are written once, because a second apply finds no difference', async () => {
      const desired = await desiredOf()
      expect(await ensureObjects(kubernetes, desired)).toMatchObject({ kind: 'kept' })
      const again = await ensureObjects(kubernetes, desired)
      expect(again.applied).toEqual([])
      expect(desired.length).toBeGreaterThan(2)
    })

    test('are written again once after a change of our labels', async () => {
      const labelled = (await desiredOf()).filter(({ object }) => object.metadata.labels !== undefined)
      for (const { resource, object } of labelled) {
        const { name, namespace, labels = {} } = object.metadata
        const key = { name, ...(namespace !== undefined && { namespace }) }
        const taken = Object.fromEntries(Object.keys(labels).map(label => [label, 'theirs']))
        await kubernetes.patch(resource, key, { metadata: { labels: taken } })
      }
      const kept = await ensureObjects(kubernetes, labelled)
      expect(kept.applied).toHaveLength(labelled.length)
      expect((await ensureObjects(kubernetes, labelled)).applied).toEqual([])
    })
  })

  test('applied objects are recognized as ours when they are deleted', async () => {
    const warn = vi.fn()
    const log = { debug: () => {}, info: () => {}, warn, error: () => {} }
    expect(await removeObjects(kubernetes, targetsOf(bastion, infraNamespace), log)).toBe(4)
    expect(warn).not.toHaveBeenCalled()
    const secret = { name: 'bastion-cli-abc', namespace: infraNamespace }
    expect(await kubernetes.get(providerResources.Secret, secret)).toBeUndefined()
    expect(fieldManager).toBe('gardener-extension-provider-local')
  })
})
