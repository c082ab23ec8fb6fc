import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { createKubernetes, type Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { type ApiServer, createApiServer } from '../kubernetes/kubernetes.ts'
import type { DesiredExtensionObject } from './desired-objects.ts'
import { createExtensionObjects, type ExtensionObject, type ExtensionObjects } from './extension-objects.ts'

const { resource } = kinds.BackupEntry
const key = { name: 'entry' }
const desired: DesiredExtensionObject = {
  kind: 'BackupEntry',
  key,
  spec: { type: 'toy', region: 'here', bucketName: 'b', secretRef: { name: 's', namespace: 'garden' } },
}

let server: ApiServer
let kubernetes: Kubernetes
let ending: AbortController
let objects: ExtensionObjects
beforeEach(() => {
  server = createApiServer({ clock: systemClock, objects: allCrds() })
  kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  ending = new AbortController()
  objects = createExtensionObjects({ kubernetes, clock: systemClock, signal: ending.signal })
})
afterEach(() => server.close())

/** Waits until this operation is requested and returns the object. */
const asked = async (operation: string): Promise<ExtensionObject> => {
  for (;;) {
    const found = await objects.get(desired)
    if (found?.metadata.annotations?.[annotations.operation] === operation) return found
    await systemClock.sleep(5)
  }
}
const consume = () =>
  kubernetes.patch(resource, key, { metadata: { annotations: { [annotations.operation]: null } } })
const say = (state: string, more: object = {}, at = Date.now()) =>
  kubernetes.patch(
    resource,
    key,
    {
      status: {
        observedGeneration: 1,
        lastOperation: {
          type: 'Create',
          state,
          progress: 100,
          description: `${state} it is`,
          lastUpdateTime: new Date(at).toISOString().replace(/\.\d+/, ''),
        },
        ...more,
      },
    },
    { subresource: 'status' },
  )
const rest = () => systemClock.sleep(60)

test('an object is ready once its request is accepted and has succeeded, not because of an earlier state', async () => {
  let isReady = false
  const applied = objects.apply(desired).then(object => {
    isReady = true
    return object
  })
  await asked('reconcile')
  await say('Succeeded')
  await rest()
  expect(isReady).toBe(false)
  await consume()
  await say('Succeeded', {}, Date.now() - 60_000)
  await rest()
  expect(isReady).toBe(false)
  await say('Processing')
  await rest()
  expect(isReady).toBe(false)
  await say('Succeeded', { providerStatus: { made: true } })
  expect((await applied).status?.providerStatus).toEqual({ made: true })
})

test('a timeout reports the object that was awaited and its status', async () => {
  const applied = objects.apply(desired)
  await asked('reconcile')
  await say('Error', { lastError: { description: 'the bucket is on fire' } })
  ending.abort()
  await expect(applied).rejects.toThrow(
    'timed out waiting for BackupEntry entry to be ready: the bucket is on fire',
  )
})

test('a restored object has its state before the operation is requested', async () => {
  const restored = objects.restore(desired, { kept: 'here' })
  expect((await asked('restore')).status?.state).toEqual({ kept: 'here' })
  await consume()
  await say('Succeeded')
  await restored
})

test('a deletion is confirmed, and gardenlet waits until the finalizers are removed', async () => {
  await kubernetes.create(resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'BackupEntry',
    metadata: { ...key, finalizers: ['example.com/held'] },
    spec: desired.spec,
  })
  let isGone = false
  const removed = objects.remove(desired).then(() => {
    isGone = true
  })
  await rest()
  expect((await objects.get(desired))?.metadata.deletionTimestamp).toBeDefined()
  expect(isGone).toBe(false)
  await kubernetes.patch(resource, key, { metadata: { finalizers: null } })
  await removed
})
