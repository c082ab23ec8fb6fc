import { type GroupVersionResource, type Kubernetes, KubernetesError, type KubernetesObject } from './port.ts'

/** How often a write is made anew after somebody else has made, changed or deleted the object. */
const tries = 5

/** What an object shall be. */
export interface DesiredObject<O extends KubernetesObject = KubernetesObject> {
  readonly resource: GroupVersionResource
  readonly create: () => KubernetesObject
  /** The merge patch from what is there; undefined: it is as it should be. */
  readonly patch: (present: O) => object | undefined
  /** Whether a patch only holds for the version that was read, because somebody else writes the same fields. Absent: no. */
  readonly isLocked?: (patch: object) => boolean
}

/**
 * Creates the object or patches what differs; nothing is written to one that is as it should be. A patch is only ever one of
 * the object that was compared, not of another one of its name.
 *
 * @param present the object as it was listed; undefined: there was none
 */
export const keepObject = async <O extends KubernetesObject>(
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
    // What the API server sends was checked when it was written, by the same schema.
    found = (await kubernetes.get(resource, { name, namespace })) as O | undefined
  }
}

/** Somebody else made, changed (409) or deleted (404) the object. */
const isOvertaken = (error: unknown): error is KubernetesError =>
  error instanceof KubernetesError && (error.status === 409 || error.status === 404)

/**
 * Deletes the given object, unless it is already being deleted. Returns false if it deleted nothing. Never deletes another
 * object that has the same name by now. Any other conflict is retried and then thrown, because the object still exists.
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
      if (!(error instanceof KubernetesError && error.status === 409)) throw error
      if (isAnotherObject(error)) return false
      if (attempt === tries) throw error
    }
  }
}

/**
 * Merge-patches the object that was read, whatever version it has by now. Returns undefined if it is gone or another object has
 * its name. Any other conflict is retried and then thrown, because the object is still there.
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
 * Returns true if a conflict says that another object has the name. Only the message tells it from other conflicts: the check
 * before the deletion says "the UID in the precondition (…) does not match", the one in the storage "UID in precondition: …",
 * and a patch "metadata.uid: Invalid value: …" (kube-apiserver 1.36, test/real/kubernetes/exchanges).
 */
const isAnotherObject = ({ message }: KubernetesError): boolean =>
  /\bUID in (the )?precondition\b|\bmetadata\.uid: Invalid value\b/.test(message)
