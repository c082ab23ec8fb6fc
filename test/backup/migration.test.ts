import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BackupSeed, entryName, newVirtualAws, operatorOf, startBackupSeed } from './harness.ts'

const { aws, clock } = newVirtualAws()
const operator = operatorOf(aws)

/** Both seeds have their own bucket. The shoot moves from the first to the second. */
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

test('a source entry has its own Secret in the target seed', async () => {
  await second.createEntry(source, 'of-first')
  await second.untilReady('BackupEntry', source)
  expect(await second.secret('source-etcd-backup')).toMatchObject({ bucketName: 'of-first' })
  expect(await second.secret('etcd-backup')).toBeUndefined()
})

test('migrate retains the objects', async () => {
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

test('restore creates the Secret in the other seed, with its own bucket', async () => {
  await second.createEntry(entryName, 'of-second', 'restore')
  const object = await second.untilReady('BackupEntry', entryName)
  expect(object.status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  expect(await second.secret('etcd-backup')).toMatchObject({ bucketName: 'of-second' })
})

test('the source entry removes its Secret and its objects, and no others', async () => {
  await operator.put('of-second', `${entryName}/etcd-main/a`)
  await second.remove('BackupEntry', source)
  await second.untilGone('BackupEntry', source)
  expect(await second.secret('source-etcd-backup')).toBeUndefined()
  expect(await second.secret('etcd-backup')).toMatchObject({ bucketName: 'of-second' })
  expect(await operator.keys('of-first')).toEqual([])
  expect(await operator.keys('of-second')).toEqual([`${entryName}/etcd-main/a`])
})
