import { randomBytes } from 'node:crypto'
import {
  pathKeyBytes,
  pathKeyIn,
  type ShootWebhooks,
  shootWebhooksData,
  shootWebhooksName,
} from '../../../control-plane/control-plane.ts'
import { secrets } from '../../../kubernetes/core-resources.ts'
import { hasStatus, type Kubernetes } from '../../../kubernetes/kubernetes.ts'
import type { WebhookConfiguration } from '../../admission/admission.ts'

type Secrets = Pick<Kubernetes, 'get' | 'create' | 'patch'>

/** Returns the key for the proofs of shoots, or undefined if there is none yet. */
const readPathKey = async (
  kubernetes: Pick<Secrets, 'get'>,
  namespace: string,
  component: string,
): Promise<Uint8Array | undefined> =>
  pathKeyIn(await kubernetes.get(secrets, { namespace, name: shootWebhooksName(component) }))

/**
 * Writes the configuration of shoots for the ControlPlane function. Writes nothing if it is up to date. The first
 * caller creates the key, which never changes.
 */
export const handOver = async (
  kubernetes: Secrets,
  namespace: string,
  component: string,
  configuration: WebhookConfiguration,
): Promise<{ readonly outcome: 'created' | 'changed' | 'same'; readonly handed: ShootWebhooks }> => {
  const key = { namespace, name: shootWebhooksName(component) }
  const present = await kubernetes.get(secrets, key)
  const handed = { configuration, pathKey: pathKeyIn(present) ?? randomBytes(pathKeyBytes) }
  const data = shootWebhooksData(handed)
  if (present === undefined) {
    try {
      await kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: key,
        type: 'Opaque',
        data,
      })
    } catch (error) {
      // The key of the faster process takes effect.
      if (hasStatus(error, 409)) return handOver(kubernetes, namespace, component, configuration)
      throw error
    }
    return { outcome: 'created', handed }
  }
  if (Object.entries(data).every(([name, text]) => Object(present.data)[name] === text))
    return { outcome: 'same', handed }
  const { uid, resourceVersion } = present.metadata
  await kubernetes.patch(secrets, key, { metadata: { uid, resourceVersion }, data })
  return { outcome: 'changed', handed }
}

/** The keys for the proofs of shoots, for each component with webhooks in shoots. */
export interface PathKeys {
  readonly components: readonly string[]
  /** Returns the current keys. The former key remains valid, because shoots get a new one in sequence. */
  readonly of: (component: string) => readonly Uint8Array[]
  readonly refresh: (component: string) => Promise<void>
}

export const followPathKeys = (
  kubernetes: Pick<Kubernetes, 'get'>,
  namespace: string,
  components: readonly string[],
): PathKeys => {
  const keys = new Map<string, readonly Uint8Array[]>()
  return {
    components,
    of: component => keys.get(component) ?? [],
    refresh: async component => {
      const newest = await readPathKey(kubernetes, namespace, component)
      const [last] = keys.get(component) ?? []
      if (newest && !(last && Buffer.from(last).equals(newest)))
        keys.set(component, last ? [newest, last] : [newest])
    },
  }
}
