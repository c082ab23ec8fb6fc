import { describe, expect, test } from 'vitest'
import { sendReview } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { definition as seedPvca } from './seed-pvca/webhook.ts'
import { definition as seedprovider } from './seedprovider/webhook.ts'
import { definition as terraformer } from './terraformer/webhook.ts'
import { namespace } from './testing/cluster.ts'

const etcd = (name: string, spec: object = {}): KubernetesObject => ({
  apiVersion: 'druid.gardener.cloud/v1alpha1',
  kind: 'Etcd',
  metadata: { name, namespace },
  spec: { ...spec },
})

describe('the volume of an etcd', () => {
  const volumeOf = async (object: KubernetesObject, oldObject?: KubernetesObject, settings = {}) => {
    const recorded = oldObject
      ? ({ operation: 'UPDATE', object, oldObject } as const)
      : ({ operation: 'CREATE', object } as const)
    return (await sendReview(seedprovider, recorded, { settings })).object.spec
  }
  const large = { storageClass: 'x', storageCapacity: '20Gi' }
  const usual = { storageClass: '', storageCapacity: '10Gi' }
  const settings = { etcdStorageClass: 'fast', etcdStorageCapacity: '80Gi' }

  test.each(['etcd-main', 'etcd-events', 'virtual-garden-etcd-main', 'virtual-garden-etcd-events'])(
    'of an existing object does not change: %s',
    async name => {
      expect(await volumeOf(etcd(name), etcd(name, large), settings)).toEqual(large)
    },
  )

  test.each([
    ['etcd-main', { storageClass: 'fast', storageCapacity: '80Gi' }],
    ['virtual-garden-etcd-main', usual],
    ['etcd-events', usual],
    ['virtual-garden-etcd-events', usual],
  ])('is set at creation: %s', async (name, volume) => {
    expect(await volumeOf(etcd(name, large), undefined, settings)).toEqual(volume)
  })

  test('has the default values if an operator sets none', async () => {
    expect(await volumeOf(etcd('etcd-main'))).toEqual(usual)
  })

  test('gets values that the old object did not have', async () => {
    const old = etcd('etcd-events', { storageClass: null, storageCapacity: '20Gi' })
    expect(await volumeOf(etcd('etcd-events'), old)).toEqual({ storageClass: '', storageCapacity: '20Gi' })
  })
})

describe('an autoscaler of volumes', () => {
  const autoscaler = (cooldownDuration?: unknown): KubernetesObject => ({
    apiVersion: 'autoscaling.gardener.cloud/v1alpha1',
    kind: 'PersistentVolumeClaimAutoscaler',
    metadata: { name: 'x', namespace, deletionTimestamp: '2026-01-01T00:00:00Z' },
    spec: { volumePolicies: [{ scaleUp: { cooldownDuration } }] },
  })

  test.each(['6h', '360m', '21600s', '6h0m0s', '1000h'])(
    'with a wait of %s does not change',
    async duration => {
      expect(await sendReview(seedPvca, { operation: 'CREATE', object: autoscaler(duration) })).toMatchObject(
        { allowed: true, patch: [] },
      )
    },
  )

  test.each([undefined, null, '', '0', '-7h', '5h59m59s', 'soon'])(
    'with a wait of %s waits for six hours, even while it is being deleted',
    async duration => {
      const { object } = await sendReview(seedPvca, { operation: 'CREATE', object: autoscaler(duration) })
      expect(object.spec).toEqual({ volumePolicies: [{ scaleUp: { cooldownDuration: '6h0m0s' } }] })
    },
  )

  test('is reviewed only if Gardener created it', () => {
    expect(seedPvca.objectSelector).toEqual({
      matchExpressions: [{ key: 'observability.gardener.cloud/app', operator: 'Exists' }],
    })
  })
})

describe('a pod of Terraform', () => {
  const pod = (name: string): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'x', namespace },
    spec: { containers: [{ name }] },
  })
  const labels = { 'security.gardener.cloud/purpose': 'workload-identity-token-requestor' }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'cloudprovider', labels } }

  test('without its container is refused', async () => {
    const created = { operation: 'CREATE', object: pod('x') } as const
    expect(await sendReview(terraformer, created, { objects: [secret] })).toMatchObject({
      code: 403,
      message: 'found no container with name "terraform"',
    })
  })

  test('in a namespace without credentials is refused', async () => {
    const created = { operation: 'CREATE', object: pod('terraform') } as const
    expect(await sendReview(terraformer, created)).toMatchObject({
      code: 403,
      message: 'failed getting cloudprovider secret: secrets "cloudprovider" not found',
    })
  })

  test('that already exists does not change', async () => {
    const object = pod('terraform')
    expect(await sendReview(terraformer, { operation: 'UPDATE', object, oldObject: object })).toMatchObject({
      allowed: true,
      patch: [],
    })
  })
})
