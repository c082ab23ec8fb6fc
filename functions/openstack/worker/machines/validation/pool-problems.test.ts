import { expect, test } from 'vitest'
import { poolChangeProblems, poolProblems } from '../machines.ts'

const policies = ['anti-affinity', 'affinity']
const head = { apiVersion: 'openstack.provider.extensions.gardener.cloud/v1alpha1', kind: 'WorkerConfig' }
const pool = { zones: ['a', 'b'] }
const pathsOf = (fields: object, config?: object) =>
  poolProblems(
    { ...pool, ...fields, ...(config && { providerConfig: { ...head, ...config } }) },
    policies,
  ).map(({ path }) => path.replace('providerConfig.', ''))

test('an allowed pool has no problem', () => {
  const config = {
    serverGroup: { policy: 'anti-affinity' },
    machineLabels: [{ name: 'a/b', value: 'x' }],
    additionalSecurityGroups: ['x'],
    nodeTemplate: { capacity: { cpu: 1 }, virtualCapacity: { y: '2' } },
  }
  expect(pathsOf({ volume: { type: 't', size: '5Gi' } }, config)).toEqual([])
})

test.each([
  [{ zones: [] }, undefined, ['zones']],
  [{ volume: { type: 'fast' } }, undefined, ['volume.type']],
  [{}, { nope: 1 }, ['providerConfig']],
  [{}, { serverGroup: { policy: '' } }, ['serverGroup.policy']],
  [{}, { serverGroup: { policy: 'soft-affinity' } }, ['serverGroup.policy']],
  [{}, { serverGroup: { policy: 'affinity' } }, ['serverGroup.policy']],
  [{}, { nodeTemplate: { capacity: { cpu: '-1', other: '-1' } } }, ['nodeTemplate.capacity.cpu']],
  [{}, { nodeTemplate: { virtualCapacity: { x: '1500m' } } }, ['nodeTemplate.virtualCapacity["x"]']],
  [{}, { machineLabels: [{ name: '', value: '{' }] }, ['machineLabels[0].name', 'machineLabels[0].value']],
  [{}, { machineLabels: ['v', 'w'].map(value => ({ name: 'a', value })) }, ['machineLabels[1].name']],
  [{ labels: { a: 'x' } }, { machineLabels: [{ name: 'a', value: 'v' }] }, ['machineLabels[0].name']],
  [{}, { machineLabels: [{ name: 'a'.repeat(256), value: 'v' }] }, ['machineLabels[0].name']],
  [
    {},
    { additionalSecurityGroups: ['', 'x', 'x'] },
    ['additionalSecurityGroups[0]', 'additionalSecurityGroups[2]'],
  ],
])('%j with the WorkerConfig %j has problems at %j', (fields, config, paths) => {
  expect(pathsOf(fields, config)).toEqual(paths)
})

test('zones may only be added at the end, and an in-place pool keeps its config', () => {
  const changed = (after: object, before: object = pool) =>
    poolChangeProblems(before, { ...pool, ...after }).map(({ path }) => path)
  expect(changed({ zones: ['a', 'b', 'c'] })).toEqual([])
  expect(changed({ zones: ['b', 'a'] })).toEqual(['zones'])
  expect(changed({ providerConfig: {} })).toEqual([])
  expect(changed({ providerConfig: {}, updateStrategy: 'AutoInPlaceUpdate' })).toEqual(['providerConfig'])
})
