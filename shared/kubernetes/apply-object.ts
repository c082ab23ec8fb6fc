import { isApplied } from './is-applied.ts'
import { type GroupVersionResource, hasStatus, type Kubernetes, type KubernetesObject } from './port.ts'

/** Maximum attempts after concurrent creations or replacements of the object. */
const tries = 5

/** `deleting`: the existing object is in deletion and was not changed. */
export interface AppliedObject {
  readonly outcome: 'applied' | 'same' | 'deleting'
  /** The current object. */
  readonly object: KubernetesObject
}

export interface ApplyObjectOptions {
  readonly fieldManager: string
}

/**
 * Server-side apply only for differences: writes nothing if all desired fields are owned by Trellis and correct.
 * Reverts foreign changes of these fields and removes fields that are no longer desired. Changes only the compared
 * object, not another one of its name. Does not change an object in deletion: wait until it is gone.
 */
export const applyObject = async (
  kubernetes: Pick<Kubernetes, 'get' | 'apply'>,
  resource: GroupVersionResource,
  desired: KubernetesObject,
  { fieldManager }: ApplyObjectOptions,
): Promise<AppliedObject> => {
  const { name, namespace } = desired.metadata
  const key = { name, ...(namespace !== undefined && { namespace }) }
  for (let attempt = 1; ; attempt++) {
    const present = await kubernetes.get(resource, key)
    if (present?.metadata.deletionTimestamp !== undefined) return { outcome: 'deleting', object: present }
    if (present !== undefined && isApplied(present, desired, fieldManager))
      return { outcome: 'same', object: present }
    const { uid } = present?.metadata ?? {}
    const bound = uid === undefined ? desired : { ...desired, metadata: { ...desired.metadata, uid } }
    try {
      const object = await kubernetes.apply(resource, bound, { fieldManager, force: true })
      return { outcome: 'applied', object }
    } catch (error) {
      if (!hasStatus(error, 409) || attempt === tries) throw error
    }
  }
}
