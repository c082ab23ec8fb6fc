import { afterAll, beforeAll, expect, test } from 'vitest'
import { definition as bucketDefinition } from '../../../functions/openstack/backupbucket/function.ts'
import { definition as entryDefinition } from '../../../functions/openstack/backupentry/function.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { describeWith } from '../with-part.ts'
import { plain } from './cloud/rest.ts'
import { secretData, userCalled } from './cloud/seed.ts'
import { type RunningCloud, startCloud } from './cloud/start-cloud.ts'
import { createFigures } from './lives/figures.ts'
import { beginLife, secretObject, succeeded } from './lives/life.ts'
import { recordedCloudError, recordedCloudLife } from './lives/recordings.ts'

const apiVersion = 'extensions.gardener.cloud/v1alpha1'
const secretRef = { name: 'backupprovider', namespace: 'garden' }
const technicalId = 'shoot--os--be'
const shootUid = '11111111-2222-3333-4444-555555555555'

describeWith('openstack', 'backups in Swift', programs => {
  let cloud: RunningCloud
  const state = { token: '', account: '' }
  const figures = createFigures('BackupBucket and BackupEntry')
  beforeAll(async () => {
    cloud = await startCloud(programs, { services: ['object-store'] })
    const { token, projectId } = await cloud.login('gardener')
    Object.assign(state, { token, account: `${cloud.url('object-store')}/v1/AUTH_${projectId}` })
  })
  afterAll(async () => {
    figures.print()
    await cloud?.close()
  })

  const put = (path: string) =>
    plain('PUT', `${state.account}/${path}`, { token: state.token, body: new Uint8Array(3) })
  const namesIn = async (container: string): Promise<readonly string[] | undefined> => {
    const { status, json } = await plain('GET', `${state.account}/${container}?format=json`, {
      token: state.token,
      allowed: [404],
    })
    return status === 404 ? undefined : (json ?? []).map(({ name }: { name: string }) => name)
  }
  const secretOf = (data: Readonly<Record<string, string>> = {}) =>
    secretObject(secretRef, { ...secretData(cloud.authUrl, userCalled('gardener')), ...data })
  const bucket = (name: string, data: Readonly<Record<string, string>> = {}) => {
    const object: KubernetesObject = {
      apiVersion,
      kind: 'BackupBucket',
      metadata: { name },
      ...{ spec: { type: 'openstack', region: 'RegionOne', secretRef } },
    }
    return beginLife({ definition: bucketDefinition, object, objects: [secretOf(data)] })
  }
  const entry = (name: string, bucketName: string) => {
    const object: KubernetesObject = {
      apiVersion,
      kind: 'BackupEntry',
      metadata: { name },
      ...{ spec: { type: 'openstack', region: 'RegionOne', bucketName, secretRef } },
    }
    return beginLife({
      definition: entryDefinition,
      object,
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: technicalId } }, secretOf()],
    })
  }

  test.each<[string, string, readonly string[]]>([
    ['plain', 'cloud--openstack--plain', []],
    ['with-objects', 'cloud--openstack--objects', ['entry/v2/file-0', 'entry/v2/file-1', 'top level +']],
  ])('BackupBucket %s: created, left alone, filled and deleted', async (name, container, objects) => {
    const life = bucket(container)
    const created = await life.create()
    succeeded(created)
    expect(await namesIn(container)).toEqual([])
    const idle = await life.idle()
    succeeded(idle)
    // The Go extension creates the container each time.
    expect(idle.writes).toEqual([])
    for (const object of objects) await put(`${container}/${encodeURIComponent(object)}`)
    const removed = await life.remove()
    expect(removed.object).toBeUndefined()
    expect(await namesIn(container)).toBeUndefined()
    figures.add(name, { create: created, idle, delete: removed }, recordedCloudLife('backupbucket', name))
  })

  test('a container of the Go extension is taken over without a write', async () => {
    await put('cloud--openstack--theirs')
    const life = bucket('cloud--openstack--theirs')
    const created = await life.create()
    succeeded(created)
    expect(created.writes).toEqual([])
    expect((await life.remove()).object).toBeUndefined()
  })

  test('a wrong password of a BackupBucket, at its creation and its deletion', async () => {
    const life = bucket('cloud--openstack--wrong', { password: 'wrong' })
    const created = await life.create()
    const codes = ['ERR_INFRA_UNAUTHORIZED']
    expect(created.object?.status?.lastError?.codes).toEqual(codes)
    const removed = await life.remove()
    expect(removed.object?.status?.lastError?.codes).toEqual(codes)
    for (const name of ['error-wrong-password', 'error-wrong-password-delete'])
      expect(recordedCloudError('backupbucket', name)?.codes ?? codes).toEqual(codes)
  })

  test.each<[string, string, readonly string[]]>([
    ['entry', `${technicalId}--${shootUid}`, ['v2/a', 'v2/b']],
    ['source-entry', `source-${technicalId}--${shootUid}`, ['v2/a']],
  ])('BackupEntry %s: a Secret, and only its own objects are deleted', async (name, entryName, objects) => {
    const container = 'cloud--openstack--main'
    await put(container)
    const prefix = `${technicalId}--${shootUid}`
    const other = `${prefix}2/v2/other`
    for (const object of objects) await put(`${container}/${encodeURIComponent(`${prefix}/${object}`)}`)
    await put(`${container}/${encodeURIComponent(other)}`)
    const life = entry(entryName, container)
    const created = await life.create()
    succeeded(created)
    expect(created.calls).toEqual([])
    const idle = await life.idle()
    expect(idle.calls).toEqual([])
    const backup = await life.kubernetes.get(secrets, { name: 'etcd-backup', namespace: technicalId })
    const recorded = recordedCloudLife('backupentry', name)
    const data = Object(backup).data as Readonly<Record<string, string>> | undefined
    if (name === 'entry')
      expect(data && Object.keys(data).toSorted()).toEqual(
        recorded
          ? Object.keys(recorded.content.secrets[0].data).toSorted()
          : ['authURL', 'bucketName', 'domainName', 'password', 'region', 'tenantName', 'username'],
      )
    const removed = await life.remove()
    expect(removed.object).toBeUndefined()
    expect(await namesIn(container)).toEqual([other])
    figures.add(name, { create: created, idle, delete: removed }, recorded)
  })
})
