import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeNetworkConfig } from '../../functions/calico/network/config/calico.ts'
import { crds } from '../../functions/calico/network/crds/crds.ts'
import { desiredNetwork } from '../../functions/calico/network/desired-network.ts'
import { imageTable } from '../../functions/calico/network/image-table.ts'
import { calicoValues } from '../../functions/calico/network/input/calico-values.ts'
import vectors from '../../functions/calico/network/testing/rendered-by-go.json' with { type: 'json' }
import { namespace } from '../../functions/calico/network/testing/seed.ts'
import type { Cluster, Network } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { kindsOfOthers, refusalsOf } from './control-plane-objects.ts'
import { define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

interface Vector {
  readonly name: string
  readonly spec: Network['spec']
  readonly shoot: Cluster['spec']['shoot']
  readonly nonPrivileged?: boolean
}

const objectsOf = ({ spec, shoot, nonPrivileged = false }: Vector): readonly KubernetesObject[] => {
  const apiVersion = 'extensions.gardener.cloud/v1alpha1'
  const network: Network = { apiVersion, kind: 'Network', metadata: { name: 'network', namespace }, spec }
  const cluster: Cluster = {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, shoot },
  }
  const config = decodeNetworkConfig(spec.providerConfig)
  return desiredNetwork(calicoValues({ network, config, cluster, nonPrivileged }), imageTable).objects
}

describeWith('kube', 'objects of Calico are taken by kube-apiserver:', programs => {
  let cluster: RealCluster
  const definitions = crds({ hasMultus: true })
  beforeAll(async () => {
    cluster = await startRealCluster(programs)
  })
  afterAll(() => cluster?.close())

  test('the definitions of its kinds', async () => {
    expect((await refusalsOf(cluster, definitions)).refusals).toEqual([])
    await define(cluster.kubernetes, definitions)
  })

  test('all other objects, for any Network config', async () => {
    const cases = vectors as unknown as readonly Vector[]
    const distinct = new Map(
      cases.flatMap(objectsOf).map(object => [JSON.stringify(object), object] as const),
    )
    const others = [...distinct.values()].filter(({ kind }) => kind !== 'CustomResourceDefinition')
    expect(others.length).toBeGreaterThan(100)
    const { refusals, unknown } = await refusalsOf(cluster, others)
    expect(refusals).toEqual([])
    expect(unknown.filter(kind => !kindsOfOthers.includes(kind))).toEqual([])
    expect(others.map(({ kind }) => kind)).toContain('IPPool')
  })
})
