import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../decode/record-of.ts'
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

type ObjectFields = Readonly<Record<string, unknown>>

/**
 * Returns true if a server-side apply by this manager would change nothing: every field that it owns is desired with
 * its current value, and it owns every desired field. API servers write the owned fields and the keys of list items
 * into `metadata.managedFields` (docs/contract/provider-local.md#fields-that-are-applied).
 *
 * A value that an API server stores in another form (`1000m`, a Service's port without its protocol) always differs, so
 * desire the stored form.
 */
const isApplied = (present: KubernetesObject, desired: KubernetesObject, fieldManager: string): boolean => {
  const fields = fieldsOwnedBy(present, desired.apiVersion, fieldManager)
  if (fields === undefined) return false
  const { apiVersion: _, kind: __, metadata, ...rest }: ObjectFields = JSON.parse(JSON.stringify(desired))
  const { name: _name, namespace: _namespace, uid: _uid, ...labelled } = Object(metadata)
  // No manager owns the fields that identify an object.
  const own = { ...rest, ...(Object.keys(labelled).length > 0 && { metadata: labelled }) }
  return isOwnedAsDesired(fields, own, present)
}

const fieldsOwnedBy = (
  { metadata: { managedFields } }: KubernetesObject,
  apiVersion: string,
  fieldManager: string,
): ObjectFields | undefined => {
  if (!Array.isArray(managedFields)) return undefined
  const entry: unknown = managedFields.find(
    one =>
      isRecord(one) &&
      one.manager === fieldManager &&
      one.operation === 'Apply' &&
      one.apiVersion === apiVersion &&
      (one.subresource ?? '') === '',
  )
  return isRecord(entry) && isRecord(entry.fieldsV1) ? entry.fieldsV1 : undefined
}

/**
 * `owned` is a part of `fieldsV1`: `.` the value itself, `f:…` a field, `k:…` and `v:…` an item by its keys or its
 * value.
 */
const isOwnedAsDesired = (owned: unknown, desired: unknown, present: unknown): boolean => {
  const parts = Object.entries(Object(owned)).filter(([step]) => step !== '.')
  // The value is owned as a whole.
  if (parts.length === 0) return isDeepStrictEqual(desired, present)
  if (isRecord(desired))
    return (
      isRecord(present) &&
      parts.length === Object.keys(desired).length &&
      parts.every(([step, part]) => {
        const name = step.slice(2)
        return (
          step.startsWith('f:') &&
          Object.hasOwn(desired, name) &&
          isOwnedAsDesired(part, desired[name], present[name])
        )
      })
    )
  return (
    Array.isArray(desired) &&
    Array.isArray(present) &&
    parts.length === desired.length &&
    parts.every(([step, part]) => isItemAsDesired(step, part, desired, present))
  )
}

const isItemAsDesired = (
  step: string,
  part: unknown,
  desired: readonly unknown[],
  present: readonly unknown[],
): boolean => {
  const text = step.slice(2)
  if (step.startsWith('v:')) {
    const value: unknown = JSON.parse(text)
    return [desired, present].every(items => items.some(item => isDeepStrictEqual(item, value)))
  }
  if (!step.startsWith('k:')) return false
  const keys = Object.entries(Object(JSON.parse(text)))
  const item = (items: readonly unknown[]): unknown =>
    items.find(one => isRecord(one) && keys.every(([name, value]) => isDeepStrictEqual(one[name], value)))
  return isOwnedAsDesired(part, item(desired), item(present))
}
