import { isDeepStrictEqual } from 'node:util'
import {
  type KubernetesObject,
  type Subresource,
  subresources,
} from '../../../shared/kubernetes/kubernetes.ts'
import { type EnforcedSchema, isRecord } from '../schema/structural-schema.ts'
import {
  type FieldSet,
  fieldsOf,
  fromFieldsV1,
  mergeSchema,
  minus,
  toFieldsV1,
  valueAt,
} from './field-set.ts'

/** The owner of a set of fields: an entry of `metadata.managedFields`. */
export interface Ownership {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly subresource: Subresource | undefined
  readonly apiVersion: string
  readonly time: string
  readonly fields: FieldSet
}

export const readOwnerships = (object: KubernetesObject): readonly Ownership[] => {
  const { managedFields } = object.metadata
  if (!Array.isArray(managedFields)) return []
  return managedFields.filter(isRecord).map(entry => ({
    manager: String(entry.manager),
    operation: entry.operation === 'Apply' ? 'Apply' : 'Update',
    subresource: subresources.find(known => known === entry.subresource),
    apiVersion: String(entry.apiVersion),
    time: String(entry.time),
    fields: fromFieldsV1(entry.fieldsV1),
  }))
}

/** Returns `metadata.managedFields`. Owners without fields are omitted. */
export const writeOwnerships = (ownerships: readonly Ownership[]): readonly object[] =>
  ownerships
    .filter(({ fields }) => fields.size > 0)
    .map(({ manager, operation, subresource, apiVersion, time, fields }) => ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(fields),
      ...(subresource && { subresource }),
    }))

export const isSameOwner = (a: Ownership, b: Omit<Ownership, 'fields' | 'time' | 'apiVersion'>): boolean =>
  a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource

export interface Writer {
  readonly manager: string
  readonly subresource: Subresource | undefined
  readonly time: string
}

/**
 * Returns the owners after a PUT or PATCH: the writer becomes the only owner of the fields that it changed. Objects
 * that were never applied on the server have no owners and get none, because only `kubectl apply --server-side` needs
 * them.
 */
export const ownersAfterUpdate = (
  next: KubernetesObject,
  previous: KubernetesObject,
  schema: EnforcedSchema | undefined,
  writer: Writer,
): KubernetesObject => {
  const ownerships = readOwnerships(next)
  if (ownerships.length === 0) return next
  const shape = mergeSchema(schema)
  const after = fieldsOf(next, shape)
  const before = fieldsOf(previous, shape)
  const changed = new Map(
    [...after].filter(
      ([, path]) => !isDeepStrictEqual(valueAt(next, path, shape), valueAt(previous, path, shape)),
    ),
  )
  const touched = new Map([...changed, ...minus(before, after)])
  const { manager, subresource, time } = writer
  const own = { manager, operation: 'Update' as const, subresource }
  const mine = ownerships.find(entry => isSameOwner(entry, own))
  const others = ownerships.filter(entry => entry !== mine)
  const result = [
    ...others.map(entry => ({ ...entry, fields: minus(entry.fields, touched) })),
    {
      ...own,
      apiVersion: next.apiVersion,
      time,
      fields: new Map([...minus(mine?.fields ?? new Map(), touched), ...changed]),
    },
  ]
  return { ...next, metadata: { ...next.metadata, managedFields: writeOwnerships(result) } }
}
