import { describe, expect, test } from 'vitest'
import { type ReviewResult, sendReview } from '../../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { definition } from './webhook.ts'

const aws = 'service.beta.kubernetes.io/aws-load-balancer'
const ignore = 'extensions.gardener.cloud/ignore-load-balancer'

const service = (type: string, annotations: Readonly<Record<string, string>> | null = null) =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'lb', namespace: 'default', annotations },
    spec: { type },
  }) as unknown as KubernetesObject

const dns = (ipFamilies: unknown): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'kube-system', name: 'kube-dns' },
  spec: { ipFamilies },
})

const ask = async (
  object: KubernetesObject,
  oldObject?: KubernetesObject,
  ipFamilies: unknown = ['IPv6'],
): Promise<ReviewResult> => {
  const recorded = oldObject
    ? ({ operation: 'UPDATE', object, oldObject } as const)
    : ({ operation: 'CREATE', object } as const)
  const options = { objects: [dns(ipFamilies)] }
  return sendReview(definition, recorded, options)
}
const annotationsAfter = async (...args: Parameters<typeof ask>) =>
  (await ask(...args)).object.metadata.annotations ?? {}

describe('a Service', () => {
  test('that becomes a load balancer gets both families, like a new one', async () => {
    const after = await annotationsAfter(service('LoadBalancer'), service('ClusterIP'))
    expect(after).toMatchObject({ [`${aws}-ip-address-type`]: 'dualstack' })
    expect(after).not.toHaveProperty([ignore])
  })

  test('with both families retains them', async () => {
    const { object } = await ask(service('LoadBalancer'), service('ClusterIP'))
    expect((await ask(object, service('ClusterIP'))).patch).toEqual([])
    expect((await ask(object, object)).patch).toEqual([])
  })

  test('that already was one retains its load balancer', async () => {
    expect(await annotationsAfter(service('LoadBalancer'), service('LoadBalancer'))).toEqual({
      [ignore]: 'true',
    })
  })

  test('that no longer is one does not change', async () => {
    expect(await ask(service('ClusterIP'), service('LoadBalancer'))).toMatchObject({ patch: [] })
  })

  test('with another value of the mark retains its load balancer', async () => {
    const after = await annotationsAfter(
      service('LoadBalancer'),
      service('LoadBalancer', { [ignore]: 'false' }),
    )
    expect(after).toEqual({ [ignore]: 'true' })
  })

  test.each<[Readonly<Record<string, string>>]>([
    [{ [`${aws}-scheme`]: 'internal' }],
    [{ [`${aws}-internal`]: 'true' }],
    [{ [ignore]: 'true' }],
  ])('with %j does not change', async annotations => {
    expect(await ask(service('LoadBalancer', annotations))).toMatchObject({ patch: [] })
  })

  test('with an address instead of true is not internal', async () => {
    const after = await annotationsAfter(service('LoadBalancer', { [`${aws}-internal`]: '0.0.0.0/0' }))
    expect(after).toMatchObject({ [`${aws}-scheme`]: 'internet-facing' })
  })

  test.each([[['IPv4']], [[]], [null], ['IPv6']])(
    'of a shoot with the families %j does not change',
    async families => {
      expect(await ask(service('LoadBalancer'), undefined, families)).toMatchObject({ patch: [] })
    },
  )

  test('without a type is not a load balancer', async () => {
    const { spec: _, ...bare } = service('ClusterIP')
    expect(await ask(bare as KubernetesObject)).toMatchObject({ allowed: true, patch: [] })
  })
})
