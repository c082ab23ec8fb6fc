import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { awaitedBy, awaitedFacts } from './awaited.ts'
import { machineKinds } from './machine-kinds.ts'
import { managedResourceKind } from './resource-kinds.ts'

interface Changes {
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
}

const at = '2026-11-21T12:00:00Z'
const condition = (type: string, status: string, more: object = {}) => ({
  ...{ type, status, reason: `${type}Reason`, message: 'so', lastTransitionTime: at, lastUpdateTime: at },
  ...more,
})
const machine = (name: string, more: object = {}) => ({
  name,
  providerID: 'aws:///x',
  lastOperation: {
    type: 'Create',
    state: 'Failed',
    description: 'Request ID: 1',
    lastUpdateTime: at,
    ...more,
  },
})

/** A finished rollout of two machines. */
const deployment = ({ metadata, spec, status }: Changes = {}): KubernetesObject => ({
  apiVersion: 'machine.sapcloud.io/v1alpha1',
  kind: 'MachineDeployment',
  metadata: { name: 'a', namespace: 'n', generation: 3, resourceVersion: '7', ...metadata },
  spec: { replicas: 2, template: {}, ...spec },
  status: {
    observedGeneration: 3,
    ...{ replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
    conditions: [condition('Available', 'True'), condition('Progressing', 'True')],
    ...status,
  },
})

const [awaited] = awaitedBy.Worker ?? []
const isSettled = (changes: Changes) => awaited?.isComplete(deployment(changes))

test('a Worker waits for MachineDeployments', () => {
  expect(awaitedBy.Worker?.map(({ resource }) => resource)).toEqual([machineKinds.MachineDeployment.resource])
})

describe('the relevant facts of an awaited object', () => {
  test.each<[string, Changes]>([
    ['the generation', { metadata: { generation: 4 } }],
    ['the deletion', { metadata: { deletionTimestamp: at } }],
    ['the observed generation', { status: { observedGeneration: 2 } }],
    ['a number', { status: { readyReplicas: 1 } }],
    ['a new number', { status: { unavailableReplicas: 1 } }],
    ['the status of a condition', { status: { conditions: [condition('Available', 'False')] } }],
    [
      'the reason of a condition',
      {
        status: {
          conditions: [condition('Available', 'True', { reason: 'Other' }), condition('Progressing', 'True')],
        },
      },
    ],
    ['a failed machine', { status: { failedMachines: [machine('m-1')] } }],
  ])('the facts change with %s', (_, changes) => {
    expect(awaitedFacts(deployment(changes))).not.toBe(awaitedFacts(deployment()))
  })

  test.each<[string, Changes]>([
    ['a version', { metadata: { resourceVersion: '8' } }],
    ['labels and annotations', { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } } }],
    [
      'times and messages of conditions, and their order',
      {
        status: {
          conditions: [
            condition('Progressing', 'True', { lastUpdateTime: '2026-11-21T12:05:00Z' }),
            condition('Available', 'True', { message: 'other', lastTransitionTime: '2026-11-21T12:05:00Z' }),
          ],
        },
      },
    ],
  ])('the facts do not change with %s', (_, changes) => {
    expect(awaitedFacts(deployment(changes))).toBe(awaitedFacts(deployment()))
  })

  test('the facts do not change when a machine fails again in the same way, but change for a new failure', () => {
    const factsOf = (more: object) =>
      awaitedFacts(deployment({ status: { failedMachines: [machine('m-1', more)] } }))
    expect(factsOf({ description: 'Request ID: 2', lastUpdateTime: '2026-11-21T12:05:00Z' })).toBe(
      factsOf({}),
    )
    expect(factsOf({ errorCode: 'ResourceExhausted' })).not.toBe(factsOf({}))
  })

  test.each([undefined, null, 7, 'x', [], { conditions: 7, failedMachines: 'x' }])(
    'a status that is %j is accepted',
    status => {
      const object = { ...deployment(), status } as KubernetesObject
      expect(awaitedFacts(object)).toEqual(expect.any(String))
      expect(awaited?.isComplete(object)).toBe(false)
    },
  )
})

describe('a MachineDeployment', () => {
  test('a rolled out deployment is settled, also with no machines', () => {
    expect(isSettled({})).toBe(true)
    const none = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0 }
    expect(isSettled({ spec: { replicas: 0 }, status: none })).toBe(true)
    expect(isSettled({ status: { conditions: [condition('Available', 'True')] } })).toBe(true)
  })

  test('a deployment with failed machines is settled', () => {
    expect(isSettled({ status: { availableReplicas: 1, failedMachines: [machine('m-1')] } })).toBe(true)
  })

  test.each<[string, Changes]>([
    ['it is being deleted', { metadata: { deletionTimestamp: at } }],
    ['its spec was not worked on', { metadata: { generation: 4 } }],
    ['nothing was worked on', { status: { observedGeneration: undefined } }],
    ['machines are missing', { spec: { replicas: 3 } }],
    ['old machines are there', { status: { updatedReplicas: 1 } }],
    ['there are too many', { status: { replicas: 3 } }],
    ['one is not available', { status: { unavailableReplicas: 1 } }],
    ['it is not available', { status: { conditions: [condition('Available', 'False')] } }],
    ['it does not say whether it is', { status: { conditions: [] } }],
    ...['Progressing=False', 'ReplicaFailure=True', 'Frozen=True'].map((text): [string, Changes] => {
      const [type = '', status = ''] = text.split('=')
      return [text, { status: { conditions: [condition('Available', 'True'), condition(type, status)] } }]
    }),
  ])('a deployment is not settled while %s', (_, changes) => {
    expect(isSettled(changes)).toBe(false)
  })
})

describe('a ControlPlane', () => {
  const [resources] = awaitedBy.ControlPlane ?? []
  const managedResource = (
    conditions: Readonly<Record<string, string>>,
    more: object = {},
  ): KubernetesObject => ({
    apiVersion: 'resources.gardener.cloud/v1alpha1',
    kind: 'ManagedResource',
    metadata: { name: 'a', namespace: 'n', generation: 3, ...more },
    spec: { secretRefs: [] },
    status: {
      observedGeneration: 3,
      conditions: Object.entries(conditions).map(([type, status]) => condition(type, status)),
    },
  })
  const well = { ResourcesApplied: 'True', ResourcesHealthy: 'True', ResourcesProgressing: 'False' }

  test('a ControlPlane waits for ManagedResources', () => {
    expect(resources?.resource).toEqual(managedResourceKind.resource)
  })

  test.each<[string, KubernetesObject, boolean]>([
    ['is applied, healthy and rolled out', managedResource(well), true],
    ['is not applied', managedResource({ ...well, ResourcesApplied: 'False' }), false],
    ['is not healthy', managedResource({ ...well, ResourcesHealthy: 'Unknown' }), false],
    ['is rolled out', managedResource({ ...well, ResourcesProgressing: 'True' }), false],
    ['is of another generation', managedResource(well, { generation: 4 }), false],
    ['is being deleted', managedResource(well, { deletionTimestamp: at }), false],
    ['has no status', { ...managedResource(well), status: undefined }, false],
  ])('a ManagedResource that %s ends the wait, or not: %#', (_, object, isSettled) => {
    expect(resources?.isComplete(object)).toBe(isSettled)
  })
})
