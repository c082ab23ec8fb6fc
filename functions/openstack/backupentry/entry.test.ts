import { describe, expect, test } from 'vitest'
import { createSteppedSeed } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { secrets } from '../../../shared/kubernetes/core-resources.ts'
import { swiftCloud } from '../provider/swift/testing/swift-cloud.ts'
import { credentialGone, secretData } from '../provider/testing/served-cloud.ts'
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
  const container = swift.fill(bucketName, [`${entryName}/v2/a`, `${entryName}/v2/b`, foreign])
  const seed = createSteppedSeed({
    definition,
    cloud: swift.cloud,
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: technicalId } },
      { apiVersion: 'v1', kind: 'Secret', metadata: secretRef, data: encoded(secretData) },
    ],
    waits: 'advance',
  })
  const object = entryOf(name)
  return {
    ...swift,
    container,
    seed,
    object,
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
      data: encoded({ ...secretData, bucketName, region: 'RegionOne' }),
    })
    expect(calls).toEqual([])
  })

  test.each([entryName, `source-${entryName}`])('%s is deleted with its objects alone', async name => {
    const { seed, object, container, calls, bodies, secretOf } = setUp(name)
    await seed.apply(object)
    expect(await seed.remove(object)).toBeUndefined()
    expect([...container.objects]).toEqual([foreign])
    expect(calls).toEqual(['login', `GET ${bucketName}`, 'POST ', `GET ${bucketName}`])
    expect(bodies.map(decodeURIComponent)).toEqual([
      `${bucketName}/${entryName}/v2/a\n${bucketName}/${entryName}/v2/b\n`,
    ])
    expect(await secretOf('etcd-backup')).toBeUndefined()
  })

  test('without objects sends no deletion, and without a bucket is gone', async () => {
    const { seed, object, containers, container, calls } = setUp()
    await seed.apply(object)
    container.objects.clear()
    expect(await seed.remove(object)).toBeUndefined()
    expect(calls).toEqual(['login', `GET ${bucketName}`])
    await seed.apply(object)
    containers.clear()
    expect(await seed.remove(object)).toBeUndefined()
  })

  test('with credentials that Swift refuses stays, with a code', async () => {
    const { seed, object, faults, container } = setUp()
    await seed.apply(object)
    const refused = { status: 403, headers: { 'x-trans-id': 'tx1' }, body: '<html>Forbidden</html>' }
    faults.push(...Array.from({ length: 40 }, () => ({ call: 'GET', answer: refused })))
    const left = await seed.remove(object)
    expect(Object(left?.status).lastError.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(container.objects.size).toBe(3)
  })

  test('with an application credential that is gone stays, and so do its objects', async () => {
    const { seed, object, faults, container } = setUp()
    await seed.apply(object)
    faults.push(...Array.from({ length: 40 }, () => ({ call: 'login', answer: credentialGone })))
    const left = await seed.remove(object)
    expect(Object(left?.status).lastError.codes).toEqual(['ERR_INFRA_UNAUTHENTICATED'])
    expect(container.objects.size).toBe(3)
  })

  test.each(['before', 'after'] as const)('is deleted after a crash %s any action', async when => {
    for (let action = 1; action <= 8; action++) {
      const { seed, object, container } = setUp()
      await seed.apply(object)
      seed.dieAt(action, when)
      expect(await seed.remove(object), `action ${action}`).toBeUndefined()
      expect([...container.objects]).toEqual([foreign])
    }
  })

  test('has a plan of its deletion', async () => {
    const { object, connection, seed, calls } = setUp()
    const input = {
      object,
      secret: { ...secretRef, labels: {}, data: secretData },
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
