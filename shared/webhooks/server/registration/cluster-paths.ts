import { randomBytes } from 'node:crypto'
import { type Clock, parseTimestamp, type Timestamp } from '../../../clock/clock.ts'
import { secrets } from '../../../kubernetes/core-resources.ts'
import { hasStatus, type Kubernetes, type KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import {
  isClusterProof,
  registrations,
  type WebhookConfiguration,
  type WebhookDefinition,
  webhookPath,
} from '../../admission/admission.ts'
import type { TrustTimes } from '../certificates/trust.ts'
import { readConfiguration } from './ensure-configuration.ts'

/** The paths for requests from the API servers of the seed or the garden, with the proofs of the callers. */
export interface ClusterPaths {
  readonly components: readonly string[]
  /** Reads the key and configurations of a component. Creates a missing key. */
  readonly refresh: (component: string) => Promise<void>
  /** Returns true for a path with a valid proof, and for one that a configuration has or had a moment ago. */
  readonly accepts: (definition: WebhookDefinition, path: string) => boolean
  /**
   * Returns the key for the paths in a component's configurations, after a refresh. Undefined: paths have no proof, as
   * before an upgrade, until every replica accepts proofs.
   */
  readonly keyFor: (
    component: string,
    present: readonly (KubernetesObject | undefined)[],
  ) => Uint8Array | undefined
}

export interface ClusterPathsOptions {
  /** The configurations of all components in the cluster. */
  readonly definitions: readonly WebhookDefinition[]
  /** The namespace of the process. */
  readonly kubernetes: Kubernetes
  /** The cluster of the API servers that send reviews. */
  readonly target: Kubernetes
  readonly namespace: string
  readonly times: TrustTimes
  readonly clock: Pick<Clock, 'now'>
}

interface KnownPath {
  readonly key: ClusterKey
  /** The paths of the configurations, with the time at which they were last seen there. */
  readonly named: ReadonlyMap<string, Timestamp>
  /**
   * The time at which this process first saw configurations with a path without a proof. Undefined if there are none.
   */
  readonly plainSince?: Timestamp | undefined
}

export const createClusterPaths = (options: ClusterPathsOptions): ClusterPaths => {
  const { definitions, kubernetes, target, namespace, times, clock } = options
  const inCluster = definitions.filter(one => one.target !== 'shoot')
  const components = [...new Set(inCluster.map(({ component }) => component))].toSorted()
  const plainPaths = new Set(inCluster.map(webhookPath))
  const known = new Map<string, KnownPath>()

  const keysOf = (component: string): readonly Uint8Array[] => {
    const { key } = known.get(component) ?? {}
    return key === undefined ? [] : [key.key, ...(key.former === undefined ? [] : [key.former])]
  }

  return {
    components,
    refresh: async component => {
      const now = clock.now()
      const before = known.get(component)
      const found = await ensureClusterKey({ kubernetes, namespace, component, now, known: before?.key.key })
      const key = withFormer(found, before?.key)
      // Stored at once: this process must accept paths that are written with this key, even if a later step fails.
      known.set(component, { key, named: before?.named ?? new Map(), plainSince: before?.plainSince })
      const own = inCluster.filter(one => one.component === component)
      const drafts = registrations(own, { namespace, caBundleOf: () => '' })
      const present = await Promise.all(drafts.map(draft => readConfiguration(target, draft)))
      // An API server may use the previous path for a moment.
      const named = new Map([...(before?.named ?? [])].filter(([, seen]) => now - seen < times.knownMs))
      const paths = present.flatMap(pathsIn)
      for (const path of paths) named.set(path, now)
      const isPlain = paths.some(path => plainPaths.has(path))
      known.set(component, { key, named, plainSince: isPlain ? (before?.plainSince ?? now) : undefined })
    },
    accepts: (definition, path) => {
      const plain = webhookPath(definition)
      const proof = path.startsWith(`${plain}/`) ? path.slice(plain.length + 1) : ''
      return (
        isClusterProof(keysOf(definition.component), plain, proof) ||
        (known.get(definition.component)?.named.has(path) ?? false)
      )
    },
    keyFor: (component, present) => {
      const { key, plainSince } = known.get(component) ?? {}
      if (key === undefined) return undefined
      const now = clock.now()
      const age = now - key.madeAt
      const isUpgrade = present.flatMap(pathsIn).some(path => plainPaths.has(path))
      // Replicas of the version before the upgrade answer 404 to a path with a proof. The age of the key does not tell
      // if they are gone, because the key outlives a rollback.
      if (isUpgrade && now - (plainSince ?? now) < times.overlapMs) return undefined
      // Other replicas read a new key at their next sync.
      return key.former !== undefined && age < times.knownMs ? key.former : key.key
    },
  }
}

/** Returns the key with the key that this process knew before, if another process without that knowledge created it. */
const withFormer = (key: ClusterKey, before: ClusterKey | undefined): ClusterKey => {
  if (key.former !== undefined || before === undefined) return key
  const isSame = Buffer.from(key.key).equals(before.key)
  return { ...key, former: isSame ? before.former : before.key }
}

export const pathsIn = (
  configuration: KubernetesObject | WebhookConfiguration | undefined,
): readonly string[] => {
  const webhooks = configuration === undefined ? undefined : Reflect.get(configuration, 'webhooks')
  if (!Array.isArray(webhooks)) return []
  return webhooks.flatMap(webhook => {
    const { service, url } = Object(Object(webhook).clientConfig)
    const path = typeof url === 'string' ? URL.parse(url)?.pathname : Object(service).path
    return typeof path === 'string' ? [path] : []
  })
}

/** The key for the proofs on a component's paths in the cluster. */
interface ClusterKey {
  readonly key: Uint8Array
  /** The previous key. Configurations may still contain paths from it. */
  readonly former: Uint8Array | undefined
  readonly madeAt: Timestamp
}

const keyBytes = 32
const fields = { key: 'path.key', former: 'former-path.key', made: 'made' } as const

/** The Secret with the key, for all replicas. To rotate the key, delete the Secret. */
export const clusterKeyName = (component: string): string => `gardener-extension-${component}-webhook-paths`

interface EnsureClusterKeyInput {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'create' | 'patch'>
  readonly namespace: string
  readonly component: string
  readonly now: Timestamp
  /** The key in this process. It becomes the former key if the Secret is gone. */
  readonly known: Uint8Array | undefined
}

/** Reads the key. Creates it if there is no usable one. Concurrent processes agree on one key. */
const ensureClusterKey = async (input: EnsureClusterKeyInput): Promise<ClusterKey> => {
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
    if (hasStatus(error, 409)) return ensureClusterKey(input)
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
