import { expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { type ListedBucketOptions, listedBucket } from '../testing/listed-bucket.ts'
import { type DeleteVersionsInput, deleteVersions } from './delete-versions.ts'
import { noProgress } from './deletion-progress.ts'

const keys = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']

const setUp = (options: Partial<ListedBucketOptions> = {}) => {
  const listed = listedBucket({ keys, page: 2, ...options })
  const clock = virtualClock(0)
  const input: DeleteVersionsInput = {
    bucket: listed.bucket,
    prefix: '',
    progress: noProgress,
    parallel: 2,
    timeMs: 10_000,
    clock,
  }
  return {
    ...listed,
    clock,
    run: (more: Partial<DeleteVersionsInput> = {}) => deleteVersions({ ...input, ...more }),
  }
}

test('a pass lists and deletes each page once', async () => {
  const { run, calls, left } = setUp()
  expect(await run({ parallel: 1 })).toEqual({ end: 'finished', progress: { deleted: 6 } })
  expect(calls).toEqual(['list', 'delete k1,k2', 'list k2', 'delete k3,k4', 'list k4', 'delete k5,k6'])
  expect(left()).toEqual([])
})

test('a pass continues after the processed pages', async () => {
  const { run, calls, left } = setUp()
  expect(await run({ progress: { deleted: 10, after: { key: 'k4' } } })).toEqual({
    end: 'finished',
    progress: { deleted: 12 },
  })
  expect(calls).toEqual(['list k4', 'delete k5,k6'])
  expect(left()).toHaveLength(4)
})

test('no page is started after the time limit, and running pages are finished', async () => {
  const world = setUp({ beforeDelete: async () => world.clock.advance(6_000) })
  expect(await world.run({ parallel: 1 })).toEqual({
    end: 'out-of-time',
    progress: { deleted: 4, after: { key: 'k4' } },
  })
  expect(world.left()).toEqual(['k5', 'k6'])
})

test.each(['SlowDown', 'InternalError', 'ServiceUnavailable'])(
  'a key that S3 cannot delete now (%s) is retried with all later keys',
  async code => {
    const { run, left } = setUp({ failures: { k3: [code, 'later'] } })
    expect(await run()).toEqual({ end: 'held-back', progress: { deleted: 2, after: { key: 'k2' } } })
    expect(left()).toContain('k3')
  },
)

test('progress stops at a failed page, even if a later page is complete', async () => {
  const { run } = setUp({ failures: { k1: ['SlowDown', 'later'] } })
  expect(await run()).toEqual({ end: 'held-back', progress: noProgress })
})

test('a key deleted by another client counts as gone', async () => {
  const { run } = setUp({ failures: { k3: ['NoSuchVersion', 'gone'] } })
  expect(await run()).toMatchObject({ end: 'finished', progress: { deleted: 6 } })
})

test('any other failure of a key ends the pass with its message', async () => {
  const { run } = setUp({ failures: { k3: ['MalformedXML', 'bad key'] } })
  await expect(run()).rejects.toMatchObject({
    name: 'AwsError',
    code: 'MalformedXML',
    message: 'deleting object k3 of bucket listed: MalformedXML: bad key',
  })
})

test('keys that S3 reports as locked are counted, with the oldest and the newest', async () => {
  const message = 'Access Denied because object protected by object lock.'
  const failures = {
    k2: ['AccessDenied', message],
    k3: ['AccessDenied', message],
    k5: ['AccessDenied', message],
  } as const
  const handed: string[] = []
  const { run, calls, left } = setUp({ failures })
  const onLocked: DeleteVersionsInput['onLocked'] = async versions => {
    handed.push(...versions.map(({ key }) => key))
  }
  expect(await run({ onLocked })).toMatchObject({
    end: 'finished',
    progress: { deleted: 3, locked: { count: 3, oldest: { key: 'k2' }, newest: { key: 'k5' } } },
  })
  expect(left()).toEqual(['k2', 'k3', 'k5'])
  expect(handed.sort()).toEqual(['k2', 'k3', 'k5'])
  expect(calls.filter(call => call.startsWith('lock'))).toEqual([])
})

test('if S3 gives no reason, the lock of one version is read for all of them', async () => {
  const failures = { k2: ['AccessDenied', 'Access Denied'], k3: ['AccessDenied', 'Access Denied'] } as const
  const { run, calls } = setUp({ failures, lock: { kind: 'legal-hold' } })
  expect(await run()).toMatchObject({ end: 'finished', progress: { locked: { count: 2 } } })
  expect(calls.filter(call => call.startsWith('lock'))).toHaveLength(1)
})

test('a refusal without a lock is a missing permission', async () => {
  const { run } = setUp({ failures: { k2: ['AccessDenied', 'Access Denied'] } })
  await expect(run()).rejects.toMatchObject({ codes: ['ERR_INFRA_UNAUTHORIZED'] })
})

test('no more pages are in memory than the limit', async () => {
  let [pages, most] = [0, 0]
  const world = setUp({
    keys: Array.from({ length: 100 }, (_, index) => `k${String(index).padStart(3, '0')}`),
    beforeDelete: async () => {
      await world.clock.sleep(1)
      pages--
    },
  })
  const { listVersions } = world.bucket
  const bucket = {
    ...world.bucket,
    listVersions: async (options: Parameters<typeof listVersions>[0]) => {
      const page = await listVersions(options)
      most = Math.max(most, ++pages)
      return page
    },
  }
  const running = world.run({ bucket, parallel: 3 })
  let over = false
  running.finally(() => {
    over = true
  })
  while (!over) await world.clock.advance(1)
  expect((await running).end).toBe('finished')
  expect(most).toBe(3)
})
