import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAws, type FaultOrder } from '../../sandbox/providers/aws/simulator/aws.ts'
import { type BackupSeed, entryName, operatorOf, startBackupSeed } from './harness.ts'

const aws = createAws()
const operator = operatorOf(aws)
const bucket = 'backups-of-seed'
const halfMade = 'half-made-backups'

/** Runs the functions in separate processes, on a real clock. */
let seed: BackupSeed
beforeAll(async () => {
  seed = await startBackupSeed({
    aws,
    // A short claim, since the next step must wait until it expires.
    processes: { TRELLIS_STEP_LIMIT_MS: '1500', TRELLIS_STEP_MARGIN_MS: '500' },
  })
})
afterAll(() => seed.close())

/** Executes a call to S3 but delays its response, and kills the waiting process. */
const killAt = async (fn: string, action: string) => {
  const order: FaultOrder = { action, when: 'after', effect: { kind: 'delay', milliseconds: 60_000 } }
  aws.faults.add(order)
  await seed.until(`the call of ${action}`, () =>
    aws.faults.pending().some(fault => fault.action === action) ? undefined : true,
  )
  await seed.processes.get(fn)?.at(-1)?.kill()
}

test('a bucket is completed by the next process if its creator is killed halfway', async () => {
  const killed = killAt('aws-backupbucket', 'PutPublicAccessBlock')
  await seed.createBucket(halfMade)
  await killed
  await seed.untilReady('BackupBucket', halfMade)
  expect(operator.buckets()).toEqual([halfMade])
  const actions = seed.actions()
  expect(actions.filter(action => action === 'CreateBucket')).toHaveLength(1)
  expect(actions).toContain('PutBucketPolicy')
  expect(actions).toContain('PutBucketLifecycleConfiguration')
  aws.calls.clear()
})

test('a deletion completes after its function is killed', async () => {
  await seed.createBucket(bucket)
  await seed.untilReady('BackupBucket', bucket)
  await seed.createEntry(entryName, bucket)
  await seed.untilReady('BackupEntry', entryName)
  await operator.put(bucket, `${entryName}/a`, 'other')
  const killed = killAt('aws-backupentry', 'DeleteObjects')
  await seed.remove('BackupEntry', entryName)
  await killed
  await seed.untilGone('BackupEntry', entryName)
  expect(await operator.keys(bucket)).toEqual(['other'])
  expect(await seed.secret('etcd-backup')).toBeUndefined()
})

test('the account is empty in the end', async () => {
  const killed = killAt('aws-backupbucket', 'DeleteBucket')
  await seed.remove('BackupBucket', halfMade)
  await killed
  await seed.remove('BackupBucket', bucket)
  await seed.untilGone('BackupBucket', halfMade)
  await seed.untilGone('BackupBucket', bucket)
  expect(operator.buckets()).toEqual([])
  // Each killed process got a successor.
  expect([...seed.processes].map(([name, started]) => [name, started.length])).toEqual([
    ['aws-backupbucket', 3],
    ['aws-backupentry', 2],
  ])
})
