import type { V1ContainerStatus } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import type { Pod } from './pod.ts'
import { podStatus } from './pod-status.ts'

const container = (status: Partial<V1ContainerStatus>): V1ContainerStatus => ({
  ...{ name: 'a', image: 'i', imageID: 'i', ready: false, restartCount: 0, state: {}, lastState: {} },
  ...status,
})
const waiting = container({ state: { waiting: { reason: 'ContainerCreating' } } })
const running = container({ state: { running: {} }, ready: true })
const unready = container({ state: { running: {} } })
const ended = (exitCode: number) => container({ state: { terminated: { exitCode } } })
const crashing = container({
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 1 } },
})

const statusOf = (
  containers: readonly V1ContainerStatus[],
  { policy = 'Always', init = [] as V1ContainerStatus[], pod = {} as Partial<Pod> } = {},
) =>
  podStatus(
    {
      pod: {
        metadata: { name: 'p', namespace: 'n', uid: 'u' },
        spec: { containers: [], restartPolicy: policy },
        ...pod,
      },
      ...{ node: '10.0.0.9', address: '10.0.0.5', startTime: new Date(0), initContainers: init, containers },
    },
    undefined,
    new Date(1),
  )
const conditionOf = (status: ReturnType<typeof statusOf>, type: string) =>
  status.conditions?.find(condition => condition.type === type)

describe('the phase', () => {
  test.each([
    ['Pending', [waiting, running], {}],
    ['Pending', [waiting], { init: [running] }],
    ['Failed', [waiting], { init: [ended(1)], policy: 'Never' }],
    ['Running', [running], { init: [ended(0)] }],
    ['Running', [crashing], {}],
    ['Running', [ended(0)], {}],
    ['Running', [running, ended(0)], { policy: 'Never' }],
    ['Succeeded', [ended(0), ended(0)], { policy: 'Never' }],
    ['Failed', [ended(0), ended(1)], { policy: 'Never' }],
    ['Running', [ended(1)], { policy: 'OnFailure' }],
  ])('is %s (row %#)', (phase, containers, options) => {
    expect(statusOf(containers, options).phase).toBe(phase)
  })
})

test('a Pod is ready when all its containers are', () => {
  expect(conditionOf(statusOf([running, running]), 'Ready')?.status).toBe('True')
  expect(conditionOf(statusOf([running, unready]), 'Ready')).toMatchObject({
    ...{ status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [a]' },
  })
})

test('a Pod with a closed gate is not ready, and conditions of others remain', () => {
  const gate = { type: 'example.com/gate', status: 'False' }
  const pod = {
    spec: { containers: [], readinessGates: [{ conditionType: gate.type }] },
    status: { conditions: [gate] },
  }
  const status = statusOf([running], { pod })
  expect(conditionOf(status, 'Ready')?.status).toBe('False')
  expect(conditionOf(status, 'ContainersReady')?.status).toBe('True')
  expect(conditionOf(status, gate.type)).toEqual(gate)
})

test('a condition retains its time until its status changes', () => {
  const facts = {
    pod: { metadata: { name: 'p', namespace: 'n', uid: 'u' }, spec: { containers: [] } },
    ...{ node: '10.0.0.9', address: undefined, startTime: new Date(0), initContainers: [] },
  }
  const first = podStatus({ ...facts, containers: [unready] }, undefined, new Date(1))
  const second = podStatus({ ...facts, containers: [running] }, first, new Date(2))
  expect(conditionOf(second, 'Ready')?.lastTransitionTime).toEqual(new Date(2))
  expect(conditionOf(second, 'Initialized')?.lastTransitionTime).toEqual(new Date(1))
})
