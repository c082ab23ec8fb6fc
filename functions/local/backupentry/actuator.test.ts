import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backupSeed, entryName, entryOf, technicalId } from '../../testing/backup-seed.ts'
import { directoriesIn, useVolumes } from '../../testing/volume.ts'
import { definition } from './function.ts'

const newVolume = useVolumes()
const others = ['backups/shoot--other--x--uid', `backups/${entryName}8`, 'elsewhere']

const made = async (backupDirectory = '', object = entryOf()) => {
  const seed = await backupSeed(definition, object, { backupDirectory })
  await seed.converge()
  return seed
}

test('an entry creates the Secret of etcd with the path of the backups', async () => {
  const seed = await made()
  expect((await seed.secret('etcd-backup', technicalId))?.data).toEqual({
    bucketName: btoa('backups'),
    hostPath: btoa('/etc/gardener/local-backupbuckets'),
  })
  await seed.ask('reconcile')
  seed.takeWrites()
  await seed.converge()
  expect(seed.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
    'patch backupentries',
    'patch backupentries/status',
    'patch backupentries/status',
  ])
})

test.each(['../..', '..', '.', '', '/', 'a/b', 'a/../../b', 'A', 'a..b', `${'a'.repeat(254)}`, 'a\0b'])(
  'a bucket called %j is refused, and deleted completely',
  async bucketName => {
    const root = await newVolume(...others)
    const seed = await made(root, entryOf(entryName, { bucketName }))
    expect((await seed.status()).lastError).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
    expect((await seed.live())?.metadata.finalizers ?? []).toEqual([])
    await seed.remove()
    await seed.converge()
    expect(await directoriesIn(root)).toEqual(['backups', ...others].sort())
  },
)

describe('a deletion', () => {
  test('removes only the directory of the entry', async () => {
    const root = await newVolume(...others, `backups/${entryName}/etcd-main`)
    const seed = await made(root)
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await directoriesIn(root)).toEqual(['backups', ...others].sort())
    expect(await seed.secret('etcd-backup', technicalId)).toBeUndefined()
  })

  test('of an entry for a move removes the directory of the shoot', async () => {
    const root = await newVolume(...others, `backups/${entryName}/etcd-main`)
    const seed = await made(root, entryOf(`source-${entryName}`))
    await seed.remove()
    await seed.converge()
    expect(await directoriesIn(root)).toEqual(['backups', ...others].sort())
  })

  test('of a bucket that is now invalid changes nothing', async () => {
    const root = await newVolume(...others)
    const entry = entryOf(entryName, { bucketName: '../..' })
    const finalizers = ['extensions.gardener.cloud/backupentry']
    const seed = await backupSeed(
      definition,
      { ...entry, metadata: { ...entry.metadata, finalizers } },
      { backupDirectory: join(root, 'backups') },
    )
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await directoriesIn(root)).toEqual(['backups', ...others].sort())
  })

  test.each(['the bucket', 'the entry'])('follows no link instead of %s', async what => {
    const elsewhere = await newVolume(`${entryName}/precious`)
    const root = await newVolume(...(what === 'the entry' ? ['backups'] : []))
    if (what === 'the entry') await symlink(join(elsewhere, entryName), join(root, 'backups', entryName))
    else await symlink(elsewhere, join(root, 'backups'))
    const seed = await made(root)
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await directoriesIn(elsewhere)).toEqual([entryName, `${entryName}/precious`])
  })

  test('succeeds if no volume is mounted', async () => {
    for (const directory of ['', '/nowhere/at/all']) {
      const seed = await made(directory)
      await seed.remove()
      await seed.converge()
      expect(await seed.live()).toBeUndefined()
    }
  })
})

test.each(
  (['create', 'delete'] as const).flatMap(what =>
    (['before', 'after'] as const).map(when => [what, when] as const),
  ),
)('if a process dies in a %s, %s any write, the next process completes it', async (what, when) => {
  let n = 0
  for (let died = true; died; ) {
    n++
    const root = await newVolume(`backups/${entryName}/etcd-main`)
    const seed = await backupSeed(definition, entryOf(), { backupDirectory: root })
    if (what === 'delete') {
      await seed.converge()
      await seed.remove()
    }
    seed.dieAt(n, when)
    await seed.converge()
    died = seed.hasDied()
    await seed.restart()
    await seed.converge()
    expect((await directoriesIn(root)).length, `write ${n}`).toBe(what === 'delete' ? 1 : 3)
    expect((await seed.secret('etcd-backup', technicalId)) === undefined, `write ${n}`).toBe(
      what === 'delete',
    )
  }
  expect(n).toBeGreaterThan(4)
})
