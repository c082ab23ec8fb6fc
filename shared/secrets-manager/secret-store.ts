import { secrets } from '../kubernetes/core-resources.ts'
import { hasStatus, type Kubernetes, type KubernetesObject } from '../kubernetes/kubernetes.ts'
import { listPages } from '../kubernetes/list-all.ts'
import { managedBy, secretLabels, unusedSince, useDataForName } from './labels.ts'
import { type ManagedSecret, managedSecretOf } from './managed-secret.ts'

/** The calls of the API server that the secrets manager needs. */
export type SecretsKubernetes = Pick<Kubernetes, 'get' | 'list' | 'create' | 'patch' | 'delete'>

export interface NewSecret {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Base64 by key. Secret. */
  readonly data: Readonly<Record<string, string>>
}

/** The Secrets of one identity in one namespace. Secrets of other identities are never changed or deleted. */
export interface SecretStore {
  /** Returns all Secrets of the identity. */
  readonly list: () => Promise<readonly ManagedSecret[]>
  /** Returns the Secrets of any owner that provide data to use instead of new data, by config name. */
  readonly listData: () => Promise<ReadonlyMap<string, readonly ManagedSecret[]>>
  /**
   * Creates the Secret and returns it. `isNew` is false if it already existed without its labels, or another process
   * created it at the same time. Fails if it belongs to another identity.
   */
  readonly create: (secret: NewSecret) => Promise<{ readonly secret: ManagedSecret; readonly isNew: boolean }>
  /** Sets exactly these labels on a Secret in use and repairs manual changes. Writes nothing if nothing differs. */
  readonly ensure: (secret: ManagedSecret, labels: Readonly<Record<string, string>>) => Promise<ManagedSecret>
  /**
   * Records since when the Secret is unused, RFC 3339. `changed`: the Secret has changed since it was read and is not
   * marked.
   */
  readonly mark: (secret: ManagedSecret, since: string) => Promise<'marked' | 'gone' | 'changed'>
  /** Deletes the Secret that was read. `changed`: it has changed since and is not deleted. */
  readonly remove: (secret: ManagedSecret) => Promise<'removed' | 'changed'>
}

export interface SecretStoreOptions {
  readonly kubernetes: SecretsKubernetes
  readonly namespace: string
  readonly identity: string
  readonly signal?: AbortSignal | undefined
}

/** Maximum attempts of a patch if the Secret changes meanwhile. */
const tries = 5

export const createSecretStore = (options: SecretStoreOptions): SecretStore => {
  const { kubernetes, namespace, identity, signal } = options
  const request = signal === undefined ? {} : { signal }
  const keyOf = (name: string) => ({ name, namespace })
  const mine = `${secretLabels.managedBy}=${managedBy},${secretLabels.identity}=${identity}`

  const selected = async (labelSelector: string): Promise<readonly ManagedSecret[]> => {
    const found: ManagedSecret[] = []
    for await (const { items } of listPages(kubernetes, secrets, { namespace, labelSelector, ...request }))
      found.push(...items.map(managedSecretOf))
    return found
  }

  const find = async (name: string): Promise<ManagedSecret | undefined> => {
    const found = await kubernetes.get(secrets, keyOf(name), request)
    return found && managedSecretOf(found)
  }

  const patch = async (name: string, content: object): Promise<ManagedSecret> =>
    managedSecretOf(await kubernetes.patch(secrets, keyOf(name), content, request))

  return {
    list: () => selected(mine),

    listData: async () =>
      Map.groupBy(await selected(useDataForName), ({ labels }) => labels[useDataForName] ?? ''),

    create: async ({ name, labels, data }) => {
      const secret: KubernetesObject = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { ...keyOf(name), labels },
        type: data['tls.crt'] && data['tls.key'] ? 'kubernetes.io/tls' : 'Opaque',
        immutable: true,
        data,
      }
      try {
        return { secret: managedSecretOf(await kubernetes.create(secrets, secret, request)), isNew: true }
      } catch (error) {
        const found = hasStatus(error, 409) ? await find(name) : undefined
        if (found === undefined) throw error
        const owner = found.labels[secretLabels.identity]
        if (owner === undefined || owner === identity) return { secret: found, isNew: false }
        throw new Error(
          `cannot generate the Secret ${namespace}/${name}: the secrets manager ${owner} owns a Secret with that name`,
        )
      }
    },

    ensure: async (secret, labels) => {
      let present = secret
      for (let attempt = 1; ; attempt++) {
        const content = retainingPatch(present, labels)
        if (content === undefined) return present
        try {
          return await patch(secret.name, content)
        } catch (error) {
          const found = hasStatus(error, 409) && attempt < tries ? await find(secret.name) : undefined
          if (found === undefined || found.uid !== secret.uid) throw error
          present = found
        }
      }
    },

    mark: async ({ name, uid, resourceVersion }, since) => {
      try {
        await patch(name, { metadata: { uid, resourceVersion, annotations: { [unusedSince]: since } } })
        return 'marked'
      } catch (error) {
        if (hasStatus(error, 409)) return 'changed'
        if (hasStatus(error, 404)) return 'gone'
        throw error
      }
    },

    remove: async ({ name, uid, resourceVersion }) => {
      const version = {
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      }
      try {
        await kubernetes.delete(secrets, keyOf(name), { ...version, ...request })
        return 'removed'
      } catch (error) {
        if (hasStatus(error, 409)) return 'changed'
        throw error
      }
    },
  }
}

/** Returns a merge patch that sets exactly these labels, with the lock of the Secret that was read. */
const retainingPatch = (
  { labels: present, unusedSince: mark, immutable, uid, resourceVersion }: ManagedSecret,
  desired: Readonly<Record<string, string>>,
): object | undefined => {
  const gone = Object.keys(present).filter(key => !Object.hasOwn(desired, key))
  const changed = Object.entries(desired).filter(([key, value]) => present[key] !== value)
  if (gone.length + changed.length === 0 && immutable && mark === undefined) return undefined
  return {
    metadata: {
      uid,
      resourceVersion,
      labels: { ...Object.fromEntries(gone.map(key => [key, null])), ...Object.fromEntries(changed) },
      ...(mark !== undefined && { annotations: { [unusedSince]: null } }),
    },
    ...(!immutable && { immutable: true }),
  }
}
