import { isApplied } from './is-applied.ts'
import { type GroupVersionResource, type Kubernetes, KubernetesError, type KubernetesObject } from './port.ts'

/** How often an apply is made anew after somebody else has made or replaced the object. */
const tries = 5

/** `deleting`: the object that is there is on its way out, and was left alone. */
export interface AppliedObject {
  readonly outcome: 'applied' | 'same' | 'deleting'
  /** As it is now. */
  readonly object: KubernetesObject
}

export interface ApplyObjectOptions {
  readonly fieldManager: string
}

/**
 * Server-side apply where it differs: nothing is written to an object all of whose desired fields are ours and as they should
 * be. What others have changed in them is taken back; what is not desired any more goes. Only the object that was compared is
 * changed, not another one of its name; one that is being deleted is not touched: wait until it is gone.
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
      if (!(error instanceof KubernetesError && error.status === 409) || attempt === tries) throw error
    }
  }
}
