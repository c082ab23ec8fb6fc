import { describe, expect, test } from 'vitest'
import { createSteppedSeed } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import { simulatedSecret } from '../provider/testing/simulated-cloud.ts'
import { swiftCloud } from '../provider/testing/swift-cloud.ts'
import { definition } from './function.ts'
import { planBackupEntry } from './plan.ts'

const technicalId = 'shoot--os--be'
const id = '11111111-2222-3333-4444-555555555555'
const entryName = `${technicalId}--${id}`
const bucketName = 'cloud--openstack--main'
const foreign = `${entryName}2/v2/other`
const secretRef = { name: 'backupprovider', namespace: 'garden' }

const entryOf = (name: string): BackupEntry => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupEntry',
  metadata: { name },
  spec: { type: 'openstack', region: 'RegionOne', bucketName, secretRef },
})

const encoded = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, btoa(text)]))

const setUp = (name = entryName) => {
  const swift = swiftCloud()
  swift.fill(bucketName, [`${entryName}/v2/a`, `${entryName}/v2/b`, foreign])
  const seed = createSteppedSeed({
    definition,
    cloud: swift.cloud,
    clock: swift.clock,
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: technicalId } },
      { apiVersion: 'v1', kind: 'Secret', metadata: secretRef, data: encoded(simulatedSecret) },
    ],
    waits: 'advance',
  })
  const object = entryOf(name)
  return {
    ...swift,
    objects: () => swift.names().slice(1),
    seed,
    object,
    /** Creates the BackupBucket with the project in its state, or changes it. */
    bucketOf: async (Project: string | undefined) => {
      const { resource } = kinds.BackupBucket
      const spec = { type: 'openstack', region: 'RegionOne', secretRef }
      const made = { ...object, kind: 'BackupBucket', metadata: { name: bucketName }, spec }
      const key = { name: bucketName }
      if ((await seed.kubernetes.get(resource, key)) === undefined)
        await seed.kubernetes.create(resource, made)
      const status = { state: Project === undefined ? null : { Project } }
      await seed.kubernetes.patch(resource, key, { status }, { subresource: 'status' })
    },
    secretOf: (secretName: string) =>
      seed.kubernetes.get(secrets, { name: secretName, namespace: technicalId }),
  }
}

describe('an entry', () => {
  test.each([
    [entryName, 'etcd-backup'],
    [`source-${entryName}`, 'source-etcd-backup'],
  ])('%s has the Secret %s as recorded of the Go extension, without a call', async (name, secretName) => {
    const { seed, object, secretOf, calls } = setUp(name)
    await seed.apply(object)
    expect(await secretOf(secretName)).toMatchObject({
      metadata: { annotations: { 'backup.gardener.cloud/created-by': name } },
      type: 'Opaque',
      data: encoded({ ...simulatedSecret, bucketName, region: 'RegionOne' }),
    })
    expect(calls).toEqual([])
  })

  test.each([entryName, `source-${entryName}`])('%s is deleted with its objects alone', async name => {
    const { seed, object, objects, calls, bodies, secretOf } = setUp(name)
    await seed.apply(object)
    expect(await seed.remove(object)).toBeUndefined()
    expect(objects()).toEqual([`${bucketName}/${foreign}`])
    expect(calls).toEqual(['login', `GET ${bucketName}`, 'POST ', `GET ${bucketName}`])
    expect(bodies.map(decodeURIComponent)).toEqual([
      `${bucketName}/${entryName}/v2/a\n${bucketName}/${entryName}/v2/b\n`,
    ])
    expect(await secretOf('etcd-backup')).toBeUndefined()
  })

  test('without objects sends no deletion, and without a bucket is gone', async () => {
    const { seed, object, vanish, openstack, calls } = setUp()
    await seed.apply(object)
    for (const { id } of openstack.resources('object')) openstack.remove('object', id)
    expect(await seed.remove(object)).toBeUndefined()
    expect(calls).toEqual(['login', `GET ${bucketName}`])
    await seed.apply(object)
    vanish(bucketName)
    expect(await seed.remove(object)).toBeUndefined()
  })

  test('with credentials that Swift refuses stays, with a code', async () => {
    const { seed, object, refuse, objects } = setUp()
    await seed.apply(object)
    refuse('GET', 403, 40)
    const left = await seed.remove(object)
    expect(Object(left?.status).lastError.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(objects()).toHaveLength(3)
  })

  test('with an application credential that is gone stays, and so do its objects', async () => {
    const { seed, object, objects } = setUp()
    await seed.apply(object)
    const data = encoded({ password: '', applicationCredentialID: 'gone', applicationCredentialSecret: 'x' })
    await seed.kubernetes.patch(secrets, secretRef, { data })
    seed.restart()
    const left = await seed.remove(object)
    expect(Object(left?.status).lastError.codes).toEqual(['ERR_INFRA_UNAUTHENTICATED'])
    expect(objects()).toHaveLength(3)
  })

  test('stays if its credentials are of another project than the bucket, where an absent container proves nothing', async () => {
    const { seed, object, vanish, bucketOf } = setUp()
    await seed.apply(object)
    vanish(bucketName)
    await bucketOf('another-project')
    const left = await seed.remove(object)
    expect(Object(left?.status).lastError).toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      description: expect.stringMatching(
        /: container cloud--openstack--main was created in the project another-project, but the credentials/,
      ),
    })
    await bucketOf(undefined)
    const one = seed.object({ name: entryName })
    await one.run({ longestPauseMs: 600_000 })
    expect(await one.live()).toBeUndefined()
  })

  test.each(['before', 'after'] as const)('is deleted after a crash %s any action', async when => {
    for (let action = 1; action <= 8; action++) {
      const { seed, object, objects } = setUp()
      await seed.apply(object)
      seed.dieAt(action, when)
      expect(await seed.remove(object), `action ${action}`).toBeUndefined()
      expect(objects()).toEqual([`${bucketName}/${foreign}`])
    }
  })

  test('has a plan of its deletion', async () => {
    const { object, connection, seed, calls } = setUp()
    const input = {
      object,
      secret: { ...secretRef, labels: {}, data: simulatedSecret },
      connection,
      clock: seed.clock,
      signal: new AbortController().signal,
    }
    expect(await planBackupEntry(input)).toEqual({ actions: [] })
    expect(await planBackupEntry({ ...input, destroy: true })).toEqual({
      actions: [
        { kind: 'delete', sentence: `delete 2 objects under ${entryName}/ of container ${bucketName}` },
      ],
    })
    expect(calls).toEqual(['login', `GET ${bucketName}`])
  })
})
