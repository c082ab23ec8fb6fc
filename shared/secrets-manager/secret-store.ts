import {
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../kubernetes/kubernetes.ts'
import { managedBy, secretLabels, unusedSince, useDataForName } from './labels.ts'
import { type ManagedSecret, managedSecretOf } from './managed-secret.ts'

/** What the secrets manager needs of an API server: that of a step, or any other. */
export type SecretsKubernetes = Pick<Kubernetes, 'get' | 'list' | 'create' | 'patch' | 'delete'>

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

export interface NewSecret {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Base64 by key, and secret. */
  readonly data: Readonly<Record<string, string>>
}

/** The Secrets of one identity in one namespace. What another identity made is neither changed nor deleted. */
export interface SecretStore {
  /** All of the identity. */
  readonly list: () => Promise<readonly ManagedSecret[]>
  /** The Secrets, of anybody, whose data shall be used instead of new data; by the name of the config. */
  readonly listData: () => Promise<ReadonlyMap<string, readonly ManagedSecret[]>>
  /**
   * The Secret of that name, after it was made; `isNew` false: it was there, without its labels, or another process made it at
   * the same time. Fails if it is another identity's.
   */
  readonly create: (secret: NewSecret) => Promise<{ readonly secret: ManagedSecret; readonly isNew: boolean }>
  /**
   * Gives a Secret that is in use these labels and no others, and what it lost by hand. Writes nothing when nothing
   * differs.
   */
  readonly keep: (secret: ManagedSecret, labels: Readonly<Record<string, string>>) => Promise<ManagedSecret>
  /** Writes down since when nobody needs it, RFC 3339. `changed`: it is another one since it was read, and was left alone. */
  readonly mark: (secret: ManagedSecret, since: string) => Promise<'marked' | 'gone' | 'changed'>
  /** Deletes what was read; `changed`: it is another one by now, and was left alone. */
  readonly remove: (secret: ManagedSecret) => Promise<'removed' | 'changed'>
}

export interface SecretStoreOptions {
  readonly kubernetes: SecretsKubernetes
  readonly namespace: string
  readonly identity: string
  readonly signal?: AbortSignal | undefined
}

/** How often a patch is made anew after somebody else has changed the Secret. */
const tries = 5

export const createSecretStore = (options: SecretStoreOptions): SecretStore => {
  const { kubernetes, namespace, identity, signal } = options
  const request = signal === undefined ? {} : { signal }
  const keyOf = (name: string) => ({ name, namespace })
  const mine = `${secretLabels.managedBy}=${managedBy},${secretLabels.identity}=${identity}`

  const selected = async (labelSelector: string): Promise<readonly ManagedSecret[]> => {
    const found: KubernetesObject[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page = await kubernetes.list(secrets, {
        namespace,
        labelSelector,
        ...(next !== '' && { continue: next }),
        ...request,
      })
      found.push(...page.items)
      next = page.continue
    }
    return found.map(managedSecretOf)
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
        const found = isConflict(error) ? await find(name) : undefined
        if (found === undefined) throw error
        const owner = found.labels[secretLabels.identity]
        if (owner === undefined || owner === identity) return { secret: found, isNew: false }
        throw new Error(
          `generating the Secret ${namespace}/${name}: the secrets manager ${owner} has made one of that name`,
        )
      }
    },

    keep: async (secret, labels) => {
      let present = secret
      for (let attempt = 1; ; attempt++) {
        const content = keepingPatch(present, labels)
        if (content === undefined) return present
        try {
          return await patch(secret.name, content)
        } catch (error) {
          const found = isConflict(error) && attempt < tries ? await find(secret.name) : undefined
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
        if (isConflict(error)) return 'changed'
        if (isGone(error)) return 'gone'
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
        if (isConflict(error)) return 'changed'
        throw error
      }
    },
  }
}

const isConflict = (error: unknown): boolean => error instanceof KubernetesError && error.status === 409

const isGone = (error: unknown): boolean => error instanceof KubernetesError && error.status === 404

/** The merge patch that makes the labels these and no others, locked to what was read. */
const keepingPatch = (
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
