import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BackupSeed, entryName, newVirtualAws, operatorOf, startBackupSeed } from './harness.ts'

const { aws, clock } = newVirtualAws()
const operator = operatorOf(aws)

/** Both seeds have a bucket of their own, and the shoot moves from the first to the second. */
let first: BackupSeed
let second: BackupSeed
beforeAll(async () => {
  first = await startBackupSeed({ aws, clock, name: 'first' })
  second = await startBackupSeed({ aws, clock, name: 'second' })
  await first.createBucket('of-first')
  await second.createBucket('of-second')
  await first.untilReady('BackupBucket', 'of-first')
  await second.untilReady('BackupBucket', 'of-second')
  await first.createEntry(entryName, 'of-first')
  await first.untilReady('BackupEntry', entryName)
  await operator.put('of-first', `${entryName}/etcd-main/a`)
})
afterAll(async () => {
  await first.close()
  await second.close()
})

const source = `source-${entryName}`

test('an entry of the seed that the shoot leaves has a Secret of its own where it goes to', async () => {
  await second.createEntry(source, 'of-first')
  await second.untilReady('BackupEntry', source)
  expect(await second.secret('source-etcd-backup')).toMatchObject({ bucketName: 'of-first' })
  expect(await second.secret('etcd-backup')).toBeUndefined()
})

test('migrating leaves the objects where they are', async () => {
  await first.ask('BackupEntry', entryName, 'migrate')
  await first.until('the migration', () => {
    const { status, metadata } = first.live('BackupEntry', entryName) ?? {}
    const { type, state } = status?.lastOperation ?? {}
    return type === 'Migrate' && state === 'Succeeded' && metadata?.finalizers === undefined
      ? true
      : undefined
  })
  await first.remove('BackupEntry', entryName)
  await first.untilGone('BackupEntry', entryName)
  expect(await operator.keys('of-first')).toEqual([`${entryName}/etcd-main/a`])
})

test('restoring makes the Secret in the other seed, with its own bucket', async () => {
  await second.createEntry(entryName, 'of-second', 'restore')
  const object = await second.untilReady('BackupEntry', entryName)
  expect(object.status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  expect(await second.secret('etcd-backup')).toMatchObject({ bucketName: 'of-second' })
})

test('the entry of the move goes with its Secret and the objects it stands for, and with no others', async () => {
  await operator.put('of-second', `${entryName}/etcd-main/a`)
  await second.remove('BackupEntry', source)
  await second.untilGone('BackupEntry', source)
  expect(await second.secret('source-etcd-backup')).toBeUndefined()
  expect(await second.secret('etcd-backup')).toMatchObject({ bucketName: 'of-second' })
  expect(await operator.keys('of-first')).toEqual([])
  expect(await operator.keys('of-second')).toEqual([`${entryName}/etcd-main/a`])
})
