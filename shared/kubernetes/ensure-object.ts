import {
  type GroupVersionResource,
  hasStatus,
  type Kubernetes,
  type KubernetesError,
  type KubernetesObject,
} from './port.ts'

/** Maximum attempts after concurrent creations, changes or deletions of the object. */
const tries = 5

/** The desired state of an object. */
export interface DesiredObject<O extends KubernetesObject = KubernetesObject> {
  readonly resource: GroupVersionResource
  readonly create: () => KubernetesObject
  /** Returns the merge patch for the current object; undefined if it is up to date. */
  readonly patch: (present: O) => object | undefined
  /**
   * Returns true if a patch is valid only for the version that was read, because others write the same fields. Default:
   * false.
   */
  readonly isLocked?: (patch: object) => boolean
}

/**
 * Creates the object or patches its differences. Does not write an up-to-date object. Patches only the compared object,
 * not another one of its name.
 *
 * @param present the object as listed; undefined: it did not exist
 *
 * @example
 * const present = await kubernetes.get(configMaps, { namespace, name: 'settings' })
 * const metadata = { namespace, name: 'settings' }
 * await ensureObject(
 *   kubernetes,
 *   {
 *     resource: configMaps,
 *     create: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } }),
 *     patch: found => (Object(found.data).a === '1' ? undefined : { data: { a: '1' } }),
 *   },
 *   present,
 * )
 */
export const ensureObject = async <O extends KubernetesObject>(
  kubernetes: Pick<Kubernetes, 'get' | 'create' | 'patch'>,
  desired: DesiredObject<O>,
  present: O | undefined,
): Promise<'created' | 'changed' | 'same'> => {
  const { resource } = desired
  let found = present
  for (let attempt = 1; ; attempt++) {
    try {
      if (found === undefined) {
        await kubernetes.create(resource, desired.create())
        return 'created'
      }
      const patch = desired.patch(found)
      if (patch === undefined) return 'same'
      const { name, namespace = '', uid, resourceVersion } = found.metadata
      const lock = desired.isLocked?.(patch) ? { resourceVersion } : {}
      const metadata = { ...('metadata' in patch ? Object(patch.metadata) : {}), uid, ...lock }
      await kubernetes.patch(resource, { name, namespace }, { ...patch, metadata })
      return 'changed'
    } catch (error) {
      if (!isOvertaken(error) || attempt === tries) throw error
    }
    const { name, namespace = '' } = desired.create().metadata
    // The API server has already checked the object with the same schema.
    found = (await kubernetes.get(resource, { name, namespace })) as O | undefined
  }
}

/** The object was concurrently created or changed (409) or deleted (404). */
const isOvertaken = (error: unknown): error is KubernetesError => hasStatus(error, 409, 404)

/**
 * Deletes the given object, unless it is already in deletion. Returns false if it deleted nothing. Never deletes
 * another object of the same name. Any other conflict is retried and then thrown, because the object still exists.
 *
 * @example
 * const found = await kubernetes.get(configMaps, { namespace, name: 'settings' })
 * if (found !== undefined) await deleteObject(kubernetes, configMaps, found)
 */
export const deleteObject = async (
  kubernetes: Pick<Kubernetes, 'delete'>,
  resource: GroupVersionResource,
  { metadata: { name, namespace, uid, deletionTimestamp } }: KubernetesObject,
): Promise<boolean> => {
  if (deletionTimestamp !== undefined) return false
  const key = { name, ...(namespace !== undefined && { namespace }) }
  for (let attempt = 1; ; attempt++) {
    try {
      await kubernetes.delete(resource, key, uid === undefined ? {} : { uid })
      return true
    } catch (error) {
      if (!hasStatus(error, 409)) throw error
      if (isAnotherObject(error)) return false
      if (attempt === tries) throw error
    }
  }
}

/**
 * Merge-patches the object that was read, whatever its current version. Returns undefined if it is gone or another
 * object has its name. Any other conflict is retried and then thrown, because the object still exists.
 *
 * @example
 * await patchObject(kubernetes, configMaps, deployment, { metadata: { labels: { app: 'dns-sync' } } })
 */
export const patchObject = async (
  kubernetes: Pick<Kubernetes, 'patch'>,
  resource: GroupVersionResource,
  { metadata: { name, namespace, uid } }: KubernetesObject,
  patch: { readonly metadata?: object; readonly [field: string]: unknown },
): Promise<KubernetesObject | undefined> => {
  const key = { name, ...(namespace !== undefined && { namespace }) }
  for (let attempt = 1; ; attempt++) {
    try {
      return await kubernetes.patch(resource, key, { ...patch, metadata: { ...patch.metadata, uid } })
    } catch (error) {
      if (!isOvertaken(error)) throw error
      if (error.status === 404 || isAnotherObject(error)) return undefined
      if (attempt === tries) throw error
    }
  }
}

/**
 * Returns true if a conflict says that another object has the name. Only the message distinguishes it from other
 * conflicts: the check before the deletion says "the UID in the precondition (…) does not match", the one in the
 * storage "UID in precondition: …", and a patch "metadata.uid: Invalid value: …" (kube-apiserver 1.36,
 * test/real/kubernetes/exchanges).
 */
const isAnotherObject = ({ message }: KubernetesError): boolean =>
  /\bUID in (the )?precondition\b|\bmetadata\.uid: Invalid value\b/.test(message)
