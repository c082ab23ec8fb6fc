import { expect, test } from 'vitest'
import { isRolledOut } from './api-server.ts'
import { extensionWorld, name } from './testing/extension-world.ts'
import { deployments } from './testing/imitated-others.ts'

const rolledOut = { observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }

test.each<[string, object, boolean]>([
  ['all pods have its template and are available', {}, true],
  ['its generation is not observed', { observedGeneration: 2 }, false],
  ['a pod has an earlier template', { updatedReplicas: 1 }, false],
  ['a pod of an earlier template still exists', { replicas: 3 }, false],
  ['a pod is not available', { availableReplicas: 1 }, false],
])('a Deployment is rolled out when %s: %j', (_, status, isOver) => {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kube-apiserver', namespace: 'shoot--garden--one', generation: 3 },
    spec: { replicas: 2 },
    status: { ...rolledOut, ...status },
  }
  expect(isRolledOut(deployment)).toBe(isOver)
})

test('a hibernated API server without pods counts as rolled out', () => {
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kube-apiserver', generation: 1 },
    spec: { replicas: 0 },
    status: { observedGeneration: 1 },
  }
  expect(isRolledOut(deployment)).toBe(true)
})

test('an API server that is being deleted is ignored', async () => {
  const world = await extensionWorld()
  const key = { name: 'kube-apiserver', namespace: world.namespace }
  await world.kubernetes.patch(deployments, key, { metadata: { finalizers: ['foregroundDeletion'] } })
  await world.kubernetes.delete(deployments, key)
  await world.create()
  await world.converge(name)
  expect((await world.statusOf(name)).lastOperation).toMatchObject({ state: 'Succeeded' })
  expect(world.requests.filter(request => /^patch deployments kube-apiserver/.test(request))).toEqual([])
})
