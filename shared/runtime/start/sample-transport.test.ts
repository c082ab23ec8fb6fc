import { describe, expect, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import { createKubernetes } from '../../kubernetes/kubernetes.ts'
import { sampleTransport } from './sample-transport.ts'

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', namespace: 'b' },
  data: { key: 'old' },
}
const key = { name: 'a', namespace: 'b' }

const kubernetesWith = (...objects: readonly (typeof secret)[]) =>
  createKubernetes({
    transport: sampleTransport(
      new Map(
        objects.map(object => [
          `/api/v1/namespaces/${object.metadata.namespace}/secrets/${object.metadata.name}`,
          object,
        ]),
      ),
    ),
    clock: systemClock,
  })

describe('an API server for warming up', () => {
  test('has exactly the objects that it was given', async () => {
    const kubernetes = kubernetesWith(secret)
    expect(await kubernetes.get(secrets, key)).toEqual(secret)
    expect(await kubernetes.get(secrets, { ...key, name: 'other' })).toBeUndefined()
    expect((await kubernetes.list(secrets, { namespace: 'b', limit: 500 })).items).toEqual([secret])
    expect((await kubernetes.list(secrets, { namespace: 'c', limit: 500 })).items).toEqual([])
  })

  test('accepts created, changed and deleted objects', async () => {
    const kubernetes = kubernetesWith()
    expect(await kubernetes.create(secrets, secret)).toMatchObject({
      metadata: { uid: '0', resourceVersion: '1' },
    })
    expect(await kubernetes.patch(secrets, key, { data: { key: 'new' } })).toMatchObject({
      data: { key: 'new' },
    })
    await kubernetes.delete(secrets, key)
    expect(await kubernetes.get(secrets, key)).toBeUndefined()
  })
})
