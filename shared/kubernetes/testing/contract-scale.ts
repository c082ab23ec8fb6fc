import { describe, expect, test } from 'vitest'
import type { GroupVersionResource, KubernetesObject } from '../port.ts'
import type { ContractContext } from './contract-fixtures.ts'
import { deployments, widget, widgets } from './contract-fixtures.ts'

const selector = { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }

/** No pods are created: its namespace has no service account, and no controller runs. */
const deployment = (namespace: string, replicas: number): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace },
  spec: {
    replicas,
    selector,
    template: {
      metadata: { labels: { app: 'a', tier: 'x' } },
      spec: { containers: [{ name: 'a', image: 'example.com/a' }] },
    },
  },
})

interface Scaled {
  readonly resource: GroupVersionResource
  readonly make: (namespace: string) => KubernetesObject
  /** The field of the spec with the number of replicas. */
  readonly field: string
  readonly selector: string | undefined
}

const scaled: readonly (readonly [string, Scaled])[] = [
  [
    'a Deployment',
    {
      resource: deployments,
      make: namespace => deployment(namespace, 3),
      field: 'replicas',
      selector: 'app=a,tier',
    },
  ],
  [
    'a custom resource',
    {
      resource: widgets,
      make: namespace => widget(namespace, 'a', { size: 3 }),
      field: 'size',
      selector: undefined,
    },
  ],
]

/** Test cases for patches of the scale. */
export const scaleContract = (context: ContractContext): void => {
  const kubernetes = () => context.subject().kubernetes

  describe.each(scaled)('a patch of the scale of %s', (_, { resource, make, field, selector }) => {
    const created = async () => {
      const namespace = await context.namespace()
      const object = await kubernetes().create(resource, make(namespace))
      const key = { namespace, name: object.metadata.name }
      return {
        key,
        object,
        live: () => kubernetes().get(resource, key),
        scale: (patch: object) => kubernetes().patch(resource, key, patch, { subresource: 'scale' }),
      }
    }

    test('the patch changes the desired replicas and returns the scale', async () => {
      const { key, object, live, scale } = await created()
      const answer = await scale({ spec: { replicas: 5 } })
      const changed = await live()
      const { uid, creationTimestamp, generation = 0 } = object.metadata
      expect(answer).toEqual({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { ...key, uid, creationTimestamp, resourceVersion: changed?.metadata.resourceVersion },
        spec: { replicas: 5 },
        status: { replicas: 0, ...(selector && { selector }) },
      })
      expect(changed?.spec).toEqual({ ...(object.spec as object), [field]: 5 })
      expect(changed?.metadata.generation).toBe(generation + 1)
    })

    test('a patch to the current number leaves the object unchanged', async () => {
      const { object, live, scale } = await created()
      await scale({ spec: { replicas: 3 } })
      const left = await live()
      expect(left?.spec).toEqual(object.spec)
      expect(left?.metadata.generation).toBe(object.metadata.generation)
    })

    test('the patch changes nothing else', async () => {
      const { object, live, scale } = await created()
      await scale({ metadata: { labels: { a: 'b' } }, spec: { replicas: 4 }, status: { replicas: 9 } })
      const changed = await live()
      expect(changed?.metadata.labels).toEqual(object.metadata.labels)
      expect(changed?.status).toEqual(object.status)
    })

    test('the patch is refused for an outdated version', async () => {
      const { key, object, scale } = await created()
      const { resourceVersion } = object.metadata
      await kubernetes().patch(resource, key, { metadata: { labels: { a: 'b' } } })
      await expect(scale({ metadata: { resourceVersion }, spec: { replicas: 4 } })).rejects.toMatchObject({
        status: 409,
        reason: 'Conflict',
      })
    })

    test('the patch is refused for a negative number', async () => {
      const { scale } = await created()
      await expect(scale({ spec: { replicas: -1 } })).rejects.toMatchObject({
        status: 422,
        reason: 'Invalid',
      })
    })

    test('the patch of an object that does not exist is 404', async () => {
      const { key } = await created()
      const other = { ...key, name: 'none' }
      await expect(
        kubernetes().patch(resource, other, { spec: { replicas: 1 } }, { subresource: 'scale' }),
      ).rejects.toMatchObject({ status: 404, reason: 'NotFound' })
    })
  })

  test('a Deployment with another uid is not scaled; for custom resources only the version is a lock', async () => {
    const namespace = await context.namespace()
    await kubernetes().create(deployments, deployment(namespace, 3))
    await kubernetes().create(widgets, widget(namespace, 'a', { size: 3 }))
    const key = { namespace, name: 'a' }
    const patch = { metadata: { uid: '00000000-0000-0000-0000-000000000000' }, spec: { replicas: 4 } }
    const scale = (resource: GroupVersionResource) =>
      kubernetes().patch(resource, key, patch, { subresource: 'scale' })
    await expect(scale(deployments)).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
    expect((await scale(widgets)).spec).toEqual({ replicas: 4 })
  })

  test('a Deployment is scaled to zero', async () => {
    const namespace = await context.namespace()
    await kubernetes().create(deployments, deployment(namespace, 3))
    const key = { namespace, name: 'a' }
    const patch = { spec: { replicas: 0 } }
    const answer = await kubernetes().patch(deployments, key, patch, { subresource: 'scale' })
    expect(answer.spec).toEqual({})
    expect((await kubernetes().get(deployments, key))?.spec).toMatchObject({ replicas: 0 })
  })
}
