import { expect, test } from 'vitest'
import { kindCalled } from '../../shared/contract/kinds.ts'
import { seedStatus } from './seed-status.ts'
import type { SeedView } from './seed-view.ts'

const group = 'extensions.gardener.cloud/v1alpha1'
const objectOf = (kind: string, namespace: string, state: string) => ({
  apiVersion: group,
  kind,
  metadata: { namespace, name: 'a', generation: 1 },
  spec: { type: 'aws' },
  status: { observedGeneration: 1, lastOperation: { type: 'Reconcile', state, description: '' } },
})
const clusterOf = (name: string) => ({ apiVersion: group, kind: 'Cluster', metadata: { name }, spec: {} })
const view: SeedView = {
  at: Date.parse('2026-11-21T12:00:00Z'),
  objects: [
    clusterOf('shoot--a--fails'),
    clusterOf('shoot--a--fine'),
    clusterOf('shoot--a--empty'),
    objectOf('Worker', 'shoot--a--fails', 'Succeeded'),
    objectOf('Infrastructure', 'shoot--a--fails', 'Error'),
    objectOf('Infrastructure', 'shoot--a--fine', 'Succeeded'),
  ],
  steps: [],
  missing: [],
} as unknown as SeedView

const facts = (kind?: string) =>
  seedStatus(view, { kind }).map(({ shoot, state, objects }) => [shoot, state, objects])

test('a status of one kind has only its objects, and the state of a shoot is theirs', () => {
  expect(facts()).toHaveLength(3)
  expect(facts('Infrastructure')).toEqual([
    ['shoot--a--fails', 'failed', 1],
    ['shoot--a--fine', 'ok', 1],
  ])
  expect(facts('Worker')).toEqual([['shoot--a--fails', 'ok', 1]])
  expect(facts('Bastion')).toEqual([])
})

test.each([
  ['Worker', 'Worker'],
  ['workers', 'Worker'],
  ['DNS', 'DNSRecord'],
  ['infra', 'Infrastructure'],
  ['pod', undefined],
])('%s calls the kind %s', (name, kind) => {
  expect(kindCalled(name)).toBe(kind)
})
