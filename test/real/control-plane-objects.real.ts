import { afterAll, beforeAll, expect, test } from 'vitest'
import { crds as componentCrds } from '../../functions/aws/controlplane/crds/crds.ts'
import {
  type Asked,
  dualStack,
  ipv6Alone,
  namespace,
  renderedOf,
} from '../../functions/aws/controlplane/testing/control-plane.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { everything, kindsOfOthers, refusalsOf } from './control-plane-objects.ts'
import { define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'objects of control planes are taken by kube-apiserver:', programs => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startRealCluster(programs)
    // Their definitions are created first: VolumeSnapshotClasses are among the objects.
    await define(cluster.kubernetes, componentCrds({ hasLoadBalancerController: true }))
    await cluster.create([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }])
  })
  afterAll(() => cluster?.close())

  const versions = ['1.32.8', '1.33.3', '1.34.1', '1.35.0', '1.36.0']
  const variants: readonly (readonly [string, Asked])[] = [
    ...versions.map(version => [`all of it with ${version}`, { ...everything, version }] as const),
    ['dual stack', dualStack],
    ['IPv6 alone', ipv6Alone],
    ['nothing asked for', {}],
  ]
  test('a typing error is detected', async () => {
    const [deployment] = renderedOf().objects.filter(({ kind }) => kind === 'Deployment')
    const spec = { ...Object(deployment?.spec), replica: 1, template: {} }
    const { refusals } = await refusalsOf(cluster, [{ ...deployment, spec } as KubernetesObject])
    expect(refusals).toEqual([expect.stringContaining('unknown field "spec.replica"')])
  })

  test.each(variants)('%s', async (_, variant) => {
    const { objects } = renderedOf(variant)
    const others = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition')
    const { refusals, unknown } = await refusalsOf(cluster, others)
    expect(refusals).toEqual([])
    expect(unknown).toEqual(kindsOfOthers)
  })
})
