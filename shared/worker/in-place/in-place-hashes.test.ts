import { expect, test } from 'vitest'
import type { WorkerPool } from '../../contract/objects.ts'
import { machineDeployment } from '../testing/machine-objects.ts'
import { poolOf } from '../testing/worker-of.ts'
import { inPlaceHashes } from './in-place-hashes.ts'

const pool = (name: string, updateStrategy: WorkerPool['updateStrategy'], inPlaceHash?: string) => ({
  pool: poolOf({ name, ...(updateStrategy && { updateStrategy }) }),
  inPlaceHash,
})
const having = (workerPoolToHashMap?: Record<string, string>) => ({
  status: { inPlaceUpdates: workerPoolToHashMap ? { workerPoolToHashMap } : {} },
})
const deploymentOf = (poolName: string, replicas: number, updatedReplicas: number) =>
  machineDeployment(`${poolName}-z1`, {
    metadata: { labels: { 'worker.gardener.cloud/pool': poolName } },
    status: { replicas, updatedReplicas },
  })

const automatic = pool('a', 'AutoInPlaceUpdate', 'new-a')
const manual = pool('m', 'ManualInPlaceUpdate', 'new-m')
const rolling = pool('r', 'AutoRollingUpdate')

test('every pool that is updated in place has its hash, and other pools have none', () => {
  expect(inPlaceHashes({}, [automatic, rolling, manual], [])).toEqual({ a: 'new-a', m: 'new-m' })
  expect(inPlaceHashes(having({ a: 'old' }), [automatic], [])).toEqual({ a: 'new-a' })
})

test('an unchanged hash is not written', () => {
  expect(inPlaceHashes({}, [rolling], [])).toBeUndefined()
  expect(inPlaceHashes(having(), [], [])).toBeUndefined()
  expect(inPlaceHashes(having({ m: 'new-m', a: 'new-a' }), [automatic, manual], [])).toBeUndefined()
})

test('a pool that is updated manually retains its hash while some of its machines are not updated', () => {
  const behind = [deploymentOf('a', 2, 0), deploymentOf('m', 2, 1)]
  expect(inPlaceHashes(having({ m: 'old' }), [automatic, manual], behind)).toEqual({ a: 'new-a', m: 'old' })
  expect(inPlaceHashes(having({ m: 'old' }), [manual], behind)).toBeUndefined()
  expect(inPlaceHashes({}, [manual], behind)).toBeUndefined()
})

test('such a pool gets the new hash once all its machines are updated', () => {
  expect(
    inPlaceHashes(having({ m: 'old' }), [manual], [deploymentOf('m', 2, 2), deploymentOf('n', 2, 1)]),
  ).toEqual({
    m: 'new-m',
  })
  const { status: _, ...unseen } = deploymentOf('m', 0, 0)
  expect(inPlaceHashes(having({ m: 'old' }), [manual], [unseen])).toEqual({ m: 'new-m' })
})

test('a pool that is gone or no longer updated in place is removed, and without any pool the field is empty', () => {
  expect(inPlaceHashes(having({ a: 'new-a', gone: 'x' }), [automatic], [])).toEqual({ a: 'new-a' })
  expect(inPlaceHashes(having({ r: 'x' }), [rolling], [])).toEqual({})
})

test('a pool with a problem retains its hash', () => {
  const broken = pool('a', 'AutoInPlaceUpdate')
  expect(inPlaceHashes(having({ a: 'old', gone: 'x' }), [broken], [])).toEqual({ a: 'old' })
  expect(inPlaceHashes(having({ a: 'old' }), [broken], [])).toBeUndefined()
})

test('a pool may have the name of a built-in object property', () => {
  const odd = pool('constructor', 'AutoInPlaceUpdate')
  expect(inPlaceHashes({}, [odd], [])).toBeUndefined()
})
