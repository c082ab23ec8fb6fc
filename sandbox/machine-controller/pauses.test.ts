import { afterEach, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { deployments } from '../../shared/kubernetes/core-resources.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import { createApiServer } from '../kubernetes/kubernetes.ts'
import { createPauses } from './pauses.ts'

const namespace = 'shoot--foo--bar'
const key = { name: 'machine-controller-manager', namespace }
const none = () => {}
const log: Log = { debug: none, info: none, warn: none, error: none }

let close = none
afterEach(() => close())

/** A paused namespace whose list of machine objects a test finishes. */
const pausedNamespace = async () => {
  const clock = virtualClock(0)
  const server = createApiServer({
    clock,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const lists: (() => void)[] = []
  const resumed: string[] = []
  const pauses = createPauses({
    list: () => new Promise(resolve => lists.push(resolve)),
    resumed: name => resumed.push(name),
  })
  const stop = new AbortController()
  for (const reflector of pauses.reflectors({ kubernetes, clock, log, synced: none }))
    void reflector.run(stop.signal)
  close = () => {
    stop.abort()
    server.close()
  }
  const scale = async (replicas: number) => {
    await kubernetes.patch(deployments, key, { spec: { replicas } })
    await clock.advance(1_000)
  }
  await kubernetes.create(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: key,
    spec: { replicas: 0, selector: {}, template: {} },
  })
  await clock.advance(1_000)
  return { pauses, lists, resumed, scale, clock }
}

test('a namespace is resumed after its machine objects were listed: their watches may be behind', async () => {
  const { pauses, lists, resumed, scale, clock } = await pausedNamespace()
  expect(pauses.isPaused(namespace)).toBe(true)
  await scale(1)
  expect(pauses.isPaused(namespace)).toBe(true)
  lists.shift()?.()
  await clock.advance(0)
  expect(pauses.isPaused(namespace)).toBe(false)
  expect(resumed).toEqual([namespace])
})

test('a pause during the list remains', async () => {
  const { pauses, lists, resumed, scale, clock } = await pausedNamespace()
  await scale(1)
  await scale(0)
  lists.shift()?.()
  await clock.advance(0)
  expect(pauses.isPaused(namespace)).toBe(true)
  expect(resumed).toEqual([])
})
