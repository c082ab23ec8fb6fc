import { expect, test } from 'vitest'
import type { DeploymentState, StateObject } from './machine-state.ts'
import { restorationOf } from './restoration.ts'

const object = (name: string): StateObject => ({
  metadata: {
    name,
    namespace: 'elsewhere',
    uid: 'u',
    resourceVersion: '5',
    creationTimestamp: null,
    labels: { name: 'a-z1' },
    annotations: { deployment: '1' },
    finalizers: ['machine.sapcloud.io/machine-controller-manager'],
    ownerReferences: [{ name: 'a-z1' }],
  },
  spec: { providerID: `aws:///z/${name}` },
  status: { currentStatus: { phase: 'Running' } },
})

const stateOf = (parts: Record<string, Partial<DeploymentState>>) =>
  new Map(
    Object.entries(parts).map(([name, part]) => [name, { replicas: 0, sets: [], machines: [], ...part }]),
  )

const desired = [{ name: 'a-z1' }, { name: 'b-z1' }, { name: 'c-z1' }]
const state = stateOf({
  'a-z1': { replicas: 2, sets: [object('s')], machines: [object('m1'), object('m2')] },
  'b-z1': { replicas: 1, machines: [object('m3')] },
  gone: { replicas: 1, sets: [object('t')], machines: [object('m4')] },
})

test('sets and machines of desired deployments are created from spec, labels and annotations only', () => {
  const restored = (kind: string, name: string) => ({
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind,
    metadata: { name, namespace: 'here', labels: { name: 'a-z1' }, annotations: { deployment: '1' } },
    spec: { providerID: `aws:///z/${name}` },
  })
  const { sets, machines, replicas } = restorationOf(desired, state, 'here')
  expect(sets).toEqual([restored('MachineSet', 's')])
  expect(machines).toEqual([restored('Machine', 'm1'), restored('Machine', 'm2')])
  expect([...replicas]).toEqual([['a-z1', 2]])
})

test('deployments without state, or without a set in it, are listed separately', () => {
  expect([...restorationOf(desired, state, 'here').replicas.keys()]).toEqual(['a-z1'])
})

test('all deployments are listed separately if there is no state', () => {
  expect(restorationOf(desired, undefined, 'here')).toEqual({
    sets: [],
    machines: [],
    replicas: new Map(),
  })
})

test('objects without labels and annotations get none', () => {
  const bare: StateObject = { metadata: { name: 's', labels: null } }
  const { sets } = restorationOf([{ name: 'a-z1' }], stateOf({ 'a-z1': { sets: [bare] } }), 'here')
  expect(sets).toEqual([
    {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind: 'MachineSet',
      metadata: { name: 's', namespace: 'here' },
      spec: {},
    },
  ])
})
