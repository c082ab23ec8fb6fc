import { expect, test } from 'vitest'
import { applyObject } from './apply-object.ts'
import { secrets } from './core-resources.ts'
import { KubernetesError, type KubernetesObject } from './kubernetes.ts'

const desired: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'n' },
  data: { a: 'eA==' },
}

test('only the compared object is changed, and another one of its name is compared first', async () => {
  const uids = ['first', 'second']
  const applied: unknown[] = []
  const { outcome } = await applyObject(
    {
      get: async () => ({ ...desired, metadata: { ...desired.metadata, uid: uids.shift() ?? '' } }),
      apply: async (_, object) => {
        applied.push(object.metadata.uid)
        if (applied.length === 1) throw new KubernetesError(409, 'Conflict', 'uid')
        return object
      },
    },
    secrets,
    desired,
    { fieldManager: 'm' },
  )
  expect(outcome).toBe('applied')
  expect(applied).toEqual(['first', 'second'])
})
