import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import {
  needsToken,
  ofOthers,
  ownedByOthers,
  type Random,
  runningCode,
  type World,
} from '../../../../sandbox/simulation/simulation.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { secrets } from '../../../../shared/kubernetes/core-resources.ts'
import type {
  GroupVersionResource,
  KubernetesObject,
  ObjectKey,
} from '../../../../shared/kubernetes/kubernetes.ts'
import type { Part } from '../cast.ts'

const finalizer = `${ofOthers}hold`
const note = `${ofOthers}note`
const isHealthy = `${ofOthers}Healthy`

const etcdSecret = 'etcd-backup'
const createdBy = 'backup.gardener.cloud/created-by'

interface Followed {
  readonly resource: GroupVersionResource
  readonly key: ObjectKey
}

/**
 * Lets other controllers work on the objects of a life and on their Secrets: each adds a finalizer, an annotation and a
 * condition while functions work, and removes its finalizer when the functions have removed theirs. A successor of an
 * entry creates its Secret before the entry is gone. The returned function ends this, and removes what they have
 * written.
 */
export const letControllersWork = (world: World<AwsSide>, parts: readonly Part[], random: Random) => {
  const { clock, first, trace } = world
  const { kubernetes, server } = first
  let isOver = false
  /** Not as the step whose write is the cause. */
  const later = (work: () => Promise<unknown>): void => {
    const begin = () => {
      if (isOver) return
      work().catch(error => trace.note('other controllers', `failed: ${error}`))
    }
    runningCode.exit(() => clock.after(random.int(3_000), begin))
  }
  /** Others write with the version that they have read, too. */
  const setHold = async ({ resource, key }: Followed, isThere: boolean): Promise<void> => {
    const found = await kubernetes.get(resource, key)
    if (found === undefined || (isThere && found.metadata.deletionTimestamp !== undefined)) return
    const { resourceVersion, finalizers = [] } = found.metadata
    const others = finalizers.filter(name => name !== finalizer)
    if (!isThere && others.length === finalizers.length) return
    const annotations = { [note]: isThere ? 'of others' : null }
    await kubernetes.patch(resource, key, {
      metadata: { resourceVersion, annotations, finalizers: isThere ? [...others, finalizer] : others },
    })
  }
  const setCondition = async ({ resource, key }: Followed, isThere: boolean): Promise<void> => {
    const found = await kubernetes.get(resource, key)
    const present: readonly object[] = [Object(found?.status).conditions ?? []].flat()
    const others = present.filter(one => Object(one).type !== isHealthy)
    if (found === undefined || (!isThere && others.length === present.length)) return
    const at = new Date(clock.now()).toISOString().replace(/\.\d+Z/, 'Z')
    const times = { lastUpdateTime: at, lastTransitionTime: at }
    const own = { type: isHealthy, status: 'True', reason: 'Checked', message: `at ${at}`, ...times }
    const all = isThere ? [...others, own] : others
    const { resourceVersion } = found.metadata
    const patch = { metadata: { resourceVersion }, status: { conditions: all.length === 0 ? null : all } }
    await kubernetes.patch(resource, key, patch, { subresource: 'status' })
  }

  const followed = new Map<string, Followed>()
  const follow = (resource: GroupVersionResource, key: ObjectKey): void => {
    const { plural, group } = resource
    const id = key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`
    followed.set(`${group ? `${plural}.${group}` : plural} ${id}`, { resource, key })
  }
  for (const { desired } of parts)
    if (random.chance(0.6)) {
      follow(kinds[desired.kind].resource, desired.key)
      const { name, namespace = desired.key.namespace } = Object(desired.spec.secretRef)
      if (name !== undefined) follow(secrets, { name, namespace })
    }

  /** The successor of an entry in deletion replaces the Secret of etcd. */
  const succeed = async (entry: KubernetesObject): Promise<void> => {
    const namespace = namespaceOf(entry.metadata.name)
    const key = { name: etcdSecret, namespace }
    const found = await kubernetes.get(secrets, key)
    const present = await kubernetes.get(kinds.BackupEntry.resource, { name: entry.metadata.name })
    const isInDeletion = present !== undefined && present.metadata.uid === entry.metadata.uid
    if (!isInDeletion || found === undefined || ownedByOthers in (found.metadata.annotations ?? {})) return
    await kubernetes.delete(secrets, key)
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        ...key,
        annotations: { [createdBy]: `${namespace}--successor`, [ownedByOthers]: 'the successor' },
      },
      data: {},
    })
  }
  /** gardenlet requests a token for a client of a workload identity. */
  const giveToken = async (key: ObjectKey): Promise<void> => {
    const found = await kubernetes.get(secrets, key)
    if (found === undefined || Object(found.data).token !== undefined) return
    await kubernetes.patch(secrets, key, { data: { token: Buffer.from('of gardenlet').toString('base64') } })
  }
  const leaveSecret = async (namespace: string): Promise<void> => {
    const key = { name: etcdSecret, namespace }
    const found = await kubernetes.get(secrets, key)
    if (ownedByOthers in (found?.metadata.annotations ?? {})) await kubernetes.delete(secrets, key)
  }
  const namespaceOf = (name: string): string => name.slice(0, name.lastIndexOf('--'))

  const end = server.store.subscribe((resource, { type, key, entry, previous }) => {
    const { metadata } = entry.object
    if (resource === 'backupentries.extensions.gardener.cloud') {
      if (type === 'DELETED') runningCode.exit(() => void leaveSecret(namespaceOf(metadata.name)))
      else if (
        metadata.deletionTimestamp !== undefined &&
        previous?.object.metadata.deletionTimestamp === undefined
      )
        later(() => succeed(entry.object))
    }
    if (
      resource === 'secrets' &&
      metadata.name === etcdSecret &&
      type !== 'DELETED' &&
      needsToken(entry.object)
    )
      later(() => giveToken({ name: metadata.name, namespace: metadata.namespace ?? '' }))
    const one = followed.get(`${resource} ${key}`)
    if (one === undefined || type === 'DELETED') return
    const { finalizers = [], deletionTimestamp } = metadata
    const isHeld = finalizers.includes(finalizer)
    if (deletionTimestamp === undefined) {
      if (!isHeld) later(() => setHold(one, true))
      else if (resource !== 'secrets' && random.chance(0.05)) later(() => setCondition(one, true))
    } else if (isHeld && !finalizers.some(name => name.startsWith('extensions.gardener.cloud/')))
      later(() => setHold(one, false))
  })
  return async (): Promise<void> => {
    isOver = true
    end()
    for (const one of followed.values()) {
      await setCondition(one, false).catch(() => {})
      await setHold(one, false).catch(() => {})
    }
  }
}
