import { expect, test } from 'vitest'
import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../clock/clock.ts'
import { nodes } from '../../../kubernetes/core-resources.ts'
import { createKubernetes, type Kubernetes } from '../../../kubernetes/kubernetes.ts'
import type { ShootKubernetes } from '../../provider.ts'
import { cleanUpNodes } from './clean-up-nodes.ts'

const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' }
const calico = { type: 'NetworkUnavailable', status: 'False', reason: 'CalicoIsUp' }
const routes = { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' }
const { signal } = new AbortController()

const shootWith = async (conditions: Readonly<Record<string, readonly object[]>>) => {
  const clock = virtualClock(0)
  const kubernetes = createKubernetes({ transport: createApiServer({ clock, objects: [] }).transport, clock })
  for (const [name, list] of Object.entries(conditions)) {
    await kubernetes.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } })
    await kubernetes.patch(nodes, { name }, { status: { conditions: list } }, { subresource: 'status' })
  }
  const conditionsOf = async (name: string) =>
    Object((await kubernetes.get(nodes, { name }))?.status).conditions
  return { kubernetes, conditionsOf }
}

test('nodes lose the conditions of Calico, and no other node is written', async () => {
  const { kubernetes, conditionsOf } = await shootWith({
    a: [ready, calico],
    b: [ready, routes],
    c: [calico, ready],
  })
  const written: string[] = []
  const shoot: ShootKubernetes = {
    ...kubernetes,
    patch: (of, key, ...rest) => {
      written.push(key.name)
      return kubernetes.patch(of, key, ...rest)
    },
  }
  await cleanUpNodes(shoot, signal)
  expect(written).toEqual(['a', 'c'])
  expect(await conditionsOf('a')).toEqual([ready])
  expect(await conditionsOf('b')).toEqual([ready, routes])
  expect(await conditionsOf('c')).toEqual([ready])
})

test('nodes of all pages of the list are cleaned up', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const { kubernetes, conditionsOf } = await shootWith(
    Object.fromEntries(names.map(name => [name, [calico]])),
  )
  const shoot: ShootKubernetes = {
    ...kubernetes,
    list: (of, options) => kubernetes.list(of, { ...options, limit: 2 }),
  }
  await cleanUpNodes(shoot, signal)
  for (const name of names) expect(await conditionsOf(name)).toEqual([])
})

const overtaking = (kubernetes: Kubernetes, times: number, work: () => Promise<unknown>): ShootKubernetes => {
  let left = times
  return {
    ...kubernetes,
    patch: async (...args) => {
      if (left-- > 0) await work()
      return kubernetes.patch(...args)
    },
  }
}

test('conditions that a kubelet wrote in the meantime are retained', async () => {
  const { kubernetes, conditionsOf } = await shootWith({ a: [ready, calico] })
  const pressure = { type: 'DiskPressure', status: 'True', reason: 'Full' }
  const shoot = overtaking(kubernetes, 1, () =>
    kubernetes.patch(
      nodes,
      { name: 'a' },
      { status: { conditions: [pressure, calico] } },
      { subresource: 'status' },
    ),
  )
  await cleanUpNodes(shoot, signal)
  expect(await conditionsOf('a')).toEqual([pressure])
})

test('a node that is deleted in the meantime is no failure', async () => {
  const { kubernetes } = await shootWith({ a: [calico], b: [ready] })
  const shoot = overtaking(kubernetes, 1, () => kubernetes.delete(nodes, { name: 'a' }))
  await cleanUpNodes(shoot, signal)
  expect(await kubernetes.get(nodes, { name: 'a' })).toBeUndefined()
})

test.each([
  ['list', 'could not list nodes in shoot cluster: no'],
  ['patch', 'could not clean up node a in shoot cluster: no'],
])('a %s that fails is reported', async (verb, text) => {
  const { kubernetes } = await shootWith({ a: [calico] })
  const shoot = { ...kubernetes, [verb]: () => Promise.reject(new Error('no')) }
  await expect(cleanUpNodes(shoot, signal)).rejects.toThrow(text)
})
