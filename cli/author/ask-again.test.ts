import { expect, test } from 'vitest'
import { kinds } from '../../shared/contract/kinds.ts'
import { harness } from '../../test/lifecycle/harness.ts'
import { type Sample, sampleObject } from '../../test/lifecycle/sample-objects.ts'
import { askAgain } from './ask-again.ts'

const fn = { name: 'test', kind: 'Network', types: ['test', 'test-fips'], classes: ['shoot'] } as const
const { resource } = kinds.Network

const setUp = async (sample: Sample, status?: object) => {
  const seed = await harness('Network')
  await seed.create(sample)
  if (status !== undefined) await seed.patch({ status }, 'status')
  const count = await askAgain(fn, seed.kubernetes, seed.clock)
  return { ...seed, count, annotations: (await seed.live()).metadata.annotations ?? {} }
}

const operation = 'gardener.cloud/operation'
const last = (type: string, state: string) => ({
  lastOperation: { type, state, progress: 1, description: '', lastUpdateTime: '2026-11-21T12:00:00Z' },
})

test.each<[string, Sample, object | undefined, string | undefined]>([
  ['an object that has succeeded', {}, last('Reconcile', 'Succeeded'), 'reconcile'],
  ['an object that has failed', {}, last('Create', 'Error'), 'reconcile'],
  ['an object that waits', {}, last('Reconcile', 'Processing'), 'reconcile'],
  ['an object of another type of the function', { spec: { type: 'test-fips' } }, undefined, 'reconcile'],
  ['an object that is already requested', { annotation: 'restore' }, undefined, 'restore'],
  ['no object that has migrated', {}, last('Migrate', 'Succeeded'), undefined],
  ['no object that waits for its state', { annotation: 'wait-for-state' }, undefined, 'wait-for-state'],
  ['no object of another type', { spec: { type: 'other' } }, undefined, undefined],
  ['no object of another class', { spec: { class: 'seed' } }, undefined, undefined],
])('a renewed request covers %s', async (what, sample, status, expected) => {
  const before = sampleObject('Network', sample).metadata.annotations?.['gardener.cloud/timestamp']
  const { annotations, count } = await setUp(sample, status)
  expect(annotations[operation]).toBe(expected)
  const isAsked = !what.startsWith('no object')
  expect(count).toBe(isAsked ? 1 : 0)
  expect(annotations['gardener.cloud/timestamp'] !== before).toBe(isAsked)
})

test('a renewed request does not wait for the backoff', async () => {
  const seed = await harness('Network', {
    actuator: {
      reconcile: async () => {
        throw new Error('out of order')
      },
    },
  })
  await seed.create()
  await seed.step()
  expect(await seed.step({ id: 'not the end of the wait' })).toMatchObject({ how: 'not-due' })
  await askAgain(fn, seed.kubernetes, seed.clock)
  expect(await seed.step()).toMatchObject({ how: 'failed' })
  expect((await seed.kubernetes.list(resource)).items).toHaveLength(1)
})
