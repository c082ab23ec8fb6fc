import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from './port.ts'

type ObjectFields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is ObjectFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Whether a server-side apply by this manager would change nothing: all that it owns in the object is desired with the value
 * that is there, and it owns all that is desired. API servers write into `metadata.managedFields` which fields these are, and by
 * which keys they tell the items of a list from one another (docs/contract/provider-local.md#fields-that-are-applied).
 *
 * What an API server keeps in another form than it was sent (`1000m`, a Service's port without its protocol) differs each
 * time, so it is to be desired as it is kept.
 */
export const isApplied = (
  present: KubernetesObject,
  desired: KubernetesObject,
  fieldManager: string,
): boolean => {
  const fields = fieldsOwnedBy(present, desired.apiVersion, fieldManager)
  if (fields === undefined) return false
  const { apiVersion: _, kind: __, metadata, ...rest }: ObjectFields = JSON.parse(JSON.stringify(desired))
  const { name: _name, namespace: _namespace, uid: _uid, ...labelled } = Object(metadata)
  // Nobody owns what names an object.
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

/** `owned` is a part of `fieldsV1`: `.` the value itself, `f:…` a field, `k:…` and `v:…` an item by its keys or its value. */
const isOwnedAsDesired = (owned: unknown, desired: unknown, present: unknown): boolean => {
  const parts = Object.entries(Object(owned)).filter(([step]) => step !== '.')
  // It is owned as one value.
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
