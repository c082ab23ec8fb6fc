import { expect, test } from 'vitest'
import { monitoredKinds } from '../contract/health.ts'
import { deployments } from '../kubernetes/core-resources.ts'
import { deploymentCheck } from './checks/deployment-check.ts'
import { managedResourceCheck } from './checks/managed-resource-check.ts'
import { declaredHealthOf, ownHealthOf } from './declared-health.ts'
import { type HealthCheck, successful } from './health-check.ts'

const conditions = (type: string, ...checks: readonly HealthCheck[]) => ({ conditions: [{ type, checks }] })

test('a function without checks has no health', () => {
  expect(declaredHealthOf({ kind: 'Worker', types: ['acme'] })).toEqual([])
})

test('each type of a function has its conditions and what its checks read, each once', () => {
  const health = conditions('SystemComponentsHealthy', deploymentCheck('one'), deploymentCheck('one'))
  const of = {
    kind: 'Network',
    conditions: ['SystemComponentsHealthy'],
    reads: [{ resource: deployments, name: 'one' }],
  }
  expect(declaredHealthOf({ kind: 'Network', types: ['a', 'b'], health })).toEqual([
    { ...of, type: 'a' },
    { ...of, type: 'b' },
  ])
})

test.each([
  ['ControlPlane', conditions('ControlPlaneHealthy', deploymentCheck('one'), deploymentCheck('two'))],
  ['Extension', conditions('ControlPlaneHealthy', managedResourceCheck('one'))],
  ['Worker', conditions('EveryNodeReady', { name: 'of an author', run: async () => successful })],
] as const)('a %s with the condition of its kind needs no watch of its own', (kind, health) => {
  const [declared] = declaredHealthOf({ kind, types: ['acme'], health })
  expect(declared?.reads).toEqual(monitoredKinds[kind]?.reads)
  expect(ownHealthOf([{ kind, types: ['acme'], health }])).toEqual([])
})

test.each([
  ['another condition', conditions('SystemComponentsHealthy', managedResourceCheck('one'))],
  ['another dependency', conditions('ControlPlaneHealthy', deploymentCheck('one'))],
])('an Extension with %s differs from its kind', (_, health) => {
  const own = { kind: 'Extension', types: ['acme'], health } as const
  expect(ownHealthOf([own])).toEqual(declaredHealthOf(own))
})
