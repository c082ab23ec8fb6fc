import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backupSeed, bucketOf, secretOf } from '../../testing/backup-seed.ts'
import { secrets } from '../../testing/function-seed.ts'
import { directoriesIn, useVolumes } from '../../testing/volume.ts'
import { definition } from './function.ts'

const newVolume = useVolumes()
const generated = 'generated-bucket-backups'
const mark = '.trellis-backupbucket'

const made = async (backupDirectory = '', object = bucketOf()) => {
  const seed = await backupSeed(definition, object, { backupDirectory })
  await seed.converge()
  return seed
}

describe('a bucket', () => {
  test('is only a Secret if no volume is mounted', async () => {
    const seed = await made()
    expect(await seed.secret(generated, 'garden')).toMatchObject({ type: 'Opaque' })
    expect(await seed.status()).toMatchObject({
      generatedSecretRef: { name: generated, namespace: 'garden' },
      lastOperation: { state: 'Succeeded' },
    })
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.secret(generated, 'garden')).toBeUndefined()
  })

  test('that needs no change takes the writes of the lifecycle and none on the volume', async () => {
    const root = await newVolume()
    const seed = await made(root)
    const before = await stat(join(root, 'backups'))
    await seed.ask('reconcile')
    seed.requests.splice(0)
    await seed.converge()
    expect(seed.requests.filter(line => !line.startsWith('get'))).toEqual([
      'patch backupbuckets backups',
      'patch backupbuckets/status backups',
      'patch backupbuckets/status backups',
    ])
    expect((await stat(join(root, 'backups'))).ctimeMs).toBe(before.ctimeMs)
  })

  test('has a directory that the group may write to, even if others change its mode', async () => {
    const root = await newVolume()
    const seed = await made(root)
    const mode = async () => (await stat(join(root, 'backups'))).mode & 0o7777
    expect(await mode()).toBe(0o775)
    await chmod(join(root, 'backups'), 0o700)
    await seed.ask('reconcile')
    await seed.converge()
    expect(await mode()).toBe(0o775)
  })

  test('recreates its Secret after a deletion by others', async () => {
    const seed = await made()
    await seed.kubernetes.delete(secrets, { name: generated, namespace: 'garden' })
    await seed.ask('reconcile')
    await seed.converge()
    expect(await seed.secret(generated, 'garden')).toBeDefined()
  })

  test('has its Secret in the namespace of an annotation', async () => {
    const annotations = {
      'gardener.cloud/operation': 'reconcile',
      'backupbucket.extensions.gardener.cloud/generated-secret-namespace': 'shoot--foo--bar',
    }
    const seed = await made('', bucketOf({ annotations }))
    expect(await seed.secret(generated, 'shoot--foo--bar')).toBeDefined()
    expect((await seed.status()).generatedSecretRef.namespace).toBe('shoot--foo--bar')
  })

  test('adopts an empty directory and one of the Go extension', async () => {
    const empty = await newVolume('backups')
    await made(empty)
    expect(await readdir(join(empty, 'backups'))).toEqual([mark])

    const full = await newVolume('backups/shoot--a--b--uid')
    const status = { generatedSecretRef: { name: generated, namespace: 'garden' } }
    const seed = await made(full, bucketOf({}, { status }))
    expect((await seed.status()).lastOperation.state).toBe('Succeeded')
    expect(await readdir(join(full, 'backups'))).toEqual([mark, 'shoot--a--b--uid'])
  })

  test('refuses the directory of another owner and names the fix', async () => {
    const root = await newVolume('backups/precious')
    const seed = await made(root)
    const { lastError } = await seed.status()
    expect(lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(lastError.description).toContain(
      `${join(root, 'backups')} already exists and may not belong to the bucket`,
    )
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await directoriesIn(root)).toEqual(['backups', 'backups/precious'])
  })

  test('follows no link on creation or deletion', async () => {
    const elsewhere = await newVolume('precious')
    const root = await newVolume()
    await symlink(elsewhere, join(root, 'backups'))
    const seed = await made(root)
    expect((await seed.status()).lastError.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    await seed.remove()
    await seed.converge()
    expect(await directoriesIn(elsewhere)).toEqual(['precious'])
  })

  test('on a volume that is not mounted fails with that error', async () => {
    const seed = await made('/nowhere/at/all')
    expect((await seed.status()).lastError.description).toContain('Mount a volume there')
    expect(await seed.secret(generated, 'garden')).toBeUndefined()
  })
})

describe('a deletion', () => {
  test('removes the directory with its content, but not the targets of links in it', async () => {
    const elsewhere = await newVolume('precious')
    const root = await newVolume('other')
    const seed = await made(root)
    await symlink(elsewhere, join(root, 'backups', 'link'))
    await writeFile(join(root, 'backups', 'file'), 'x')
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await directoriesIn(root)).toEqual(['other'])
    expect(await directoriesIn(elsewhere)).toEqual(['precious'])
  })

  test('retains a Secret that only a status names', async () => {
    const status = { generatedSecretRef: { name: 'credentials', namespace: 'garden' } }
    const finalizers = ['extensions.gardener.cloud/backupbucket']
    const seed = await backupSeed(definition, bucketOf({ finalizers }, { status }), {}, [
      secretOf('credentials', 'garden'),
    ])
    await seed.remove()
    await seed.converge()
    expect(await seed.live()).toBeUndefined()
    expect(await seed.secret('credentials', 'garden')).toBeDefined()
  })
})

test('a mark names the owner of a directory', async () => {
  const root = await newVolume()
  await made(root)
  expect(await readFile(join(root, 'backups', mark), 'utf8')).toBe('backups\n')
})

test.each(
  (['create', 'delete'] as const).flatMap(what =>
    (['before', 'after'] as const).map(when => [what, when] as const),
  ),
)('if a process dies in a %s, %s any write, the next process completes it', async (what, when) => {
  let n = 0
  for (let died = true; died; ) {
    n++
    const root = await newVolume()
    const seed = await backupSeed(definition, bucketOf(), { backupDirectory: root })
    if (what === 'delete') {
      await seed.converge()
      await seed.remove()
    }
    seed.dieAt(n, when)
    await seed.converge()
    died = seed.hasDied()
    await seed.restart()
    await seed.converge()
    expect(await directoriesIn(root), `write ${n}`).toEqual(what === 'delete' ? [] : ['backups'])
    expect((await seed.secret(generated, 'garden')) === undefined, `write ${n}`).toBe(what === 'delete')
    expect((await seed.status()).lastOperation?.state).toBe(what === 'delete' ? undefined : 'Succeeded')
  }
  expect(n).toBeGreaterThan(4)
})
