import { expect, test } from 'vitest'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { healthFacts } from './health.ts'

const available = { type: 'Available', status: 'True', reason: 'a', message: 'a' }
const deployment = (status: object, spec: object = { replicas: 1 }): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', generation: 2 },
  spec,
  status: { observedGeneration: 2, conditions: [available], ...status },
})
const facts = healthFacts(deployment({}))

test.each<[string, KubernetesObject]>([
  ['numbers of pods', deployment({ readyReplicas: 3, updatedReplicas: 1 })],
  [
    'reason and message of a healthy condition',
    deployment({ conditions: [{ ...available, reason: 'b', message: 'b' }] }),
  ],
  ['conditions that no check reads', deployment({ conditions: [available, { type: 'X', status: 'False' }] })],
  [
    'an observed generation',
    { ...deployment({ observedGeneration: 3 }), metadata: { name: 'a', generation: 3 } },
  ],
])('%s are irrelevant', (_, changed) => {
  expect(healthFacts(changed)).toBe(facts)
})

test.each<[string, KubernetesObject]>([
  ['an unobserved generation', deployment({ observedGeneration: 1 })],
  ['a changed condition', deployment({ conditions: [{ ...available, status: 'False' }] })],
  ['a removed condition', deployment({ conditions: [] })],
  ['a change to 0 replicas', deployment({}, { replicas: 0 })],
  ['a failed machine', deployment({ failedMachines: [{ name: 'm', lastOperation: { description: 'x' } }] })],
])('%s is relevant', (_, changed) => {
  expect(healthFacts(changed)).not.toBe(facts)
})

test('the message of an unhealthy condition is relevant', () => {
  const saying = (message: string) =>
    healthFacts(deployment({ conditions: [{ ...available, status: 'False', message }] }))
  expect(saying('a')).not.toBe(saying('b'))
})
