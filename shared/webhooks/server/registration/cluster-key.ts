import { randomBytes } from 'node:crypto'
import { parseTimestamp, type Timestamp } from '../../../clock/clock.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../../kubernetes/kubernetes.ts'

/** The key for the proofs on a component's paths in the cluster. */
export interface ClusterKey {
  readonly key: Uint8Array
  /** The previous key. Configurations may still contain paths from it. */
  readonly former: Uint8Array | undefined
  readonly madeAt: Timestamp
}

const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const keyBytes = 32
const fields = { key: 'path.key', former: 'former-path.key', made: 'made' } as const

/** The Secret with the key, for all replicas. To rotate the key, delete the Secret. */
export const clusterKeyName = (component: string): string => `gardener-extension-${component}-webhook-paths`

export interface EnsureClusterKeyInput {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'create' | 'patch'>
  readonly namespace: string
  readonly component: string
  readonly now: Timestamp
  /** The key in this process. It becomes the former key if the Secret is gone. */
  readonly known: Uint8Array | undefined
}

/** Reads the key. Creates it if there is no usable one. Concurrent processes agree on one key. */
export const ensureClusterKey = async (input: EnsureClusterKeyInput): Promise<ClusterKey> => {
  const { kubernetes, namespace, component, now, known } = input
  const name = { namespace, name: clusterKeyName(component) }
  const present = await kubernetes.get(secrets, name)
  const found = present && keyIn(present)
  if (found !== undefined) return found
  const made: ClusterKey = { key: randomBytes(keyBytes), former: known, madeAt: now }
  const data = {
    [fields.key]: base64(made.key),
    [fields.former]: base64(known ?? new Uint8Array()),
    [fields.made]: base64(Buffer.from(new Date(now).toISOString())),
  }
  try {
    if (present === undefined)
      await kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: name,
        type: 'Opaque',
        data,
      })
    else {
      const { uid, resourceVersion } = present.metadata
      await kubernetes.patch(secrets, name, { metadata: { uid, resourceVersion }, data })
    }
    return made
  } catch (error) {
    // Another process was faster, and its key takes effect.
    if (error instanceof KubernetesError && error.status === 409) return ensureClusterKey(input)
    throw error
  }
}

const keyIn = (secret: KubernetesObject): ClusterKey | undefined => {
  const key = bytesIn(secret, fields.key)
  if (key.length < keyBytes) return undefined
  const former = bytesIn(secret, fields.former)
  return {
    key,
    former: former.length < keyBytes ? undefined : former,
    madeAt: parseTimestamp(bytesIn(secret, fields.made).toString()) ?? 0,
  }
}

const bytesIn = ({ data }: KubernetesObject, field: string): Buffer =>
  Buffer.from(String(Object(data)[field] ?? ''), 'base64')

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
