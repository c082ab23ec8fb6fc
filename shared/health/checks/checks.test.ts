import { describe, expect, test } from 'vitest'
import { daemonSets, pods, statefulSets } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { adaptCheck, type CheckContext, hasWorkers, successful, unsuccessful } from '../health-check.ts'
import { deploymentCheck } from './deployment-check.ts'
import { podsCheck } from './pods-check.ts'
import { daemonSetCheck, statefulSetCheck } from './set-checks.ts'

const object = (fields: Partial<KubernetesObject> & { readonly name?: string }): KubernetesObject => {
  const { name = 'one', metadata, ...rest } = fields
  return { apiVersion: 'v1', kind: 'Any', metadata: { name, ...metadata }, ...rest }
}

/** The context of a check in a seed with some objects and a shoot with others. */
const contextOf = (seed: readonly KubernetesObject[], shoot: readonly KubernetesObject[] = []) => {
  const asked: unknown[] = []
  const clusterOf = (objects: readonly KubernetesObject[]) => ({
    get: async (resource: object, key: { readonly name: string }) => {
      asked.push([resource, key])
      return objects.find(({ metadata }) => metadata.name === key.name)
    },
    list: async (resource: object, options: object) => {
      asked.push([resource, options])
      return { items: objects, resourceVersion: '1' }
    },
  })
  const context = {
    namespace: 'shoot--a--b',
    kubernetes: clusterOf(seed),
    shoot: async () => clusterOf(shoot),
    deployment: async (name: string) => seed.find(({ metadata }) => metadata.name === name),
    cluster: undefined,
    signal: new AbortController().signal,
  } as unknown as CheckContext
  return { context, asked }
}

describe('a StatefulSet', () => {
  const set = (status: object, spec: object = { replicas: 2 }) =>
    object({ metadata: { name: 'one', generation: 3 }, spec, status: { observedGeneration: 3, ...status } })
  test.each([
    ['with all replicas ready', set({ readyReplicas: 2 }), undefined],
    ['with no replicas wanted', set({}, { replicas: 0 }), undefined],
    ['without a number of replicas wants one', set({}, {}), 'is unhealthy: not enough ready replicas (0/1)'],
    ['with one of two', set({ readyReplicas: 1 }), 'is unhealthy: not enough ready replicas (1/2)'],
    [
      'of an old generation',
      set({ observedGeneration: 2 }),
      'is unhealthy: observed generation outdated (2/3)',
    ],
    ['that is missing', undefined, 'not found'],
  ])('%s', async (_, found, problem) => {
    const { context } = contextOf(found === undefined ? [] : [found])
    expect(await statefulSetCheck('one').run(context)).toEqual(
      problem === undefined
        ? successful
        : unsuccessful(`statefulset "one" in namespace "shoot--a--b" ${problem}`),
    )
  })
})

describe('a DaemonSet', () => {
  const whole = { desiredNumberScheduled: 4, currentNumberScheduled: 4, updatedNumberScheduled: 4 }
  const set = (status: object, maxUnavailable: number | string = 1, type = 'RollingUpdate') =>
    object({
      spec: { updateStrategy: { type, rollingUpdate: { maxUnavailable } } },
      status: { ...whole, ...status },
    })
  test.each([
    ['on all nodes', set({}), undefined],
    ['on too few nodes', set({ currentNumberScheduled: 3 }), 'not enough scheduled pods (3/4)'],
    ['on other nodes', set({ numberMisscheduled: 1 }), 'misscheduled pods found (1)'],
    ['with an unavailable pod', set({ numberUnavailable: 1 }), 'too many unavailable pods found (1/4)'],
    [
      'with an unavailable pod in a rollout',
      set({ numberUnavailable: 1, updatedNumberScheduled: 3 }),
      undefined,
    ],
    [
      'with two in a rollout',
      set({ numberUnavailable: 2, updatedNumberScheduled: 3 }),
      'too many unavailable pods found (2/4, at most 1 during a rollout)',
    ],
    [
      'with half of them in a rollout',
      set({ numberUnavailable: 2, updatedNumberScheduled: 3 }, '50%'),
      undefined,
    ],
    [
      'that is not rolled out by itself',
      set({ numberUnavailable: 1, updatedNumberScheduled: 3 }, 1, 'OnDelete'),
      'too many unavailable pods found (1/4, at most 0 during a rollout)',
    ],
  ])('%s', async (_, found, problem) => {
    const { context } = contextOf([found])
    expect(await daemonSetCheck('one').run(context)).toEqual(
      problem === undefined
        ? successful
        : unsuccessful(`daemonset "one" in namespace "shoot--a--b" is unhealthy: ${problem}`),
    )
  })
})

describe('pods', () => {
  const pod = (name: string, ready: string, phase = 'Running') =>
    object({ name, status: { phase, conditions: [{ type: 'Ready', status: ready }] } })
  const leaving = object({ metadata: { name: 'leaving', deletionTimestamp: '2026-11-21T12:00:00Z' } })
  const text = 'pods with labels "app=a" in namespace "shoot--a--b"'
  test.each([
    ['that are ready or have succeeded', [pod('a', 'True'), pod('b', 'False', 'Succeeded')], undefined],
    ['that are missing', [], `not enough ${text} (0/1)`],
    ['that are all in deletion', [leaving], `not enough ${text} (0/1)`],
    ['of which one is not ready', [pod('b', 'False'), pod('a', 'True')], `${text} are not ready: b`],
    [
      'of which many are not ready',
      ['f', 'e', 'd', 'c', 'b', 'a', 'g'].map(name => pod(name, 'False')),
      `${text} are not ready: a, b, c, d, e and 2 more`,
    ],
  ])('%s', async (_, found, problem) => {
    const { context, asked } = contextOf(found)
    expect(await podsCheck('app=a').run(context)).toEqual(
      problem === undefined ? successful : unsuccessful(problem),
    )
    expect(asked).toMatchObject([[pods, { namespace: 'shoot--a--b', labelSelector: 'app=a' }]])
  })
})

test('a check in the shoot reads its namespace there, and the bridge watches nothing for it', async () => {
  const { context, asked } = contextOf([], [object({ status: {} })])
  const checks = [
    deploymentCheck('one', { in: 'shoot' }),
    statefulSetCheck('one', { in: 'shoot', namespace: 'acme' }),
    daemonSetCheck('one', { in: 'shoot' }),
    podsCheck('app=a', { in: 'shoot' }),
  ]
  expect(checks.flatMap(({ reads }) => reads)).toEqual([])
  const results = await Promise.all(checks.map(check => check.run(context)))
  expect(results.map(result => (result.kind === 'unsuccessful' ? result.detail : result.kind))).toEqual([
    'deployment "one" in namespace "kube-system" of the shoot is unhealthy: condition "Available" is missing',
    'statefulset "one" in namespace "acme" of the shoot is unhealthy: not enough ready replicas (0/1)',
    'successful',
    'pods with labels "app=a" in namespace "kube-system" of the shoot are not ready: one',
  ])
  expect(asked).toHaveLength(4)
})

test('a check in the seed names what it reads', () => {
  expect(
    [statefulSetCheck('one'), daemonSetCheck('two'), podsCheck('app=a')].map(({ reads }) => reads),
  ).toEqual([
    [{ resource: statefulSets, name: 'one' }],
    [{ resource: daemonSets, name: 'two' }],
    [{ resource: pods, labelSelector: 'app=a' }],
  ])
})

describe('an adapted check', () => {
  const { context } = contextOf([])
  const bad = { name: 'bad', reads: [], run: async () => unsuccessful('it is bad') }

  test('that does not apply is successful and not run', async () => {
    const never = { name: 'never', run: () => Promise.reject(new Error('it runs')) }
    expect(await adaptCheck(never, { appliesIf: hasWorkers }).run(context)).toEqual(successful)
  })

  test('that applies is run', async () => {
    const cluster = object({ spec: { shoot: { spec: { provider: { workers: [{ name: 'a' }] } } } } })
    const check = adaptCheck(bad, { appliesIf: hasWorkers })
    expect(await check.run({ ...context, cluster })).toEqual(unsuccessful('it is bad'))
    expect(check.reads).toEqual([])
  })

  test('progresses for a while, with codes', async () => {
    const check = adaptCheck(bad, { thresholdMs: 60_000, codesOf: () => ['ERR_INFRA_DEPENDENCIES'] })
    expect(await check.run(context)).toEqual({
      kind: 'progressing',
      detail: 'it is bad',
      codes: ['ERR_INFRA_DEPENDENCIES'],
      thresholdMs: 60_000,
    })
  })
})
