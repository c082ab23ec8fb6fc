import { isDeepStrictEqual } from 'node:util'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiContext, WriteOptions } from '../requests/api-context.ts'
import { ApiError, badRequest, conflict } from '../requests/api-error.ts'
import { type ResourceDefinition, resourceName } from '../resources/resource-definition.ts'
import { type EnforcedSchema, isRecord } from '../schema/structural-schema.ts'
import { storeKey } from '../store/object-key.ts'
import type { StoredRevision } from '../store/store.ts'
import { createObject } from '../write/create-object.ts'
import { asObject, parseDocument } from '../write/decode-object.ts'
import { type UpdateTarget, updateObject } from '../write/update-object.ts'
import {
  type FieldSet,
  fieldName,
  fieldsOf,
  mergeApplied,
  mergeSchema,
  minus,
  valueAt,
  withoutPath,
} from './field-set.ts'
import { isSameOwner, type Ownership, readOwnerships, writeOwnerships } from './managed-fields.ts'

interface Conflict {
  readonly owner: Ownership
  readonly field: string
}

/** Returns the fields with another owner that would change their value. */
const conflictsOf = (
  present: KubernetesObject,
  applied: KubernetesObject,
  fields: FieldSet,
  others: readonly Ownership[],
  schema: EnforcedSchema,
): readonly Conflict[] =>
  others.flatMap(owner =>
    [...fields]
      .filter(([key]) => owner.fields.has(key))
      .filter(([, path]) => {
        return !isDeepStrictEqual(valueAt(present, path, schema), valueAt(applied, path, schema))
      })
      .map(([, path]) => ({ owner, field: fieldName(path) })),
  )

/** Returns `"edit" using v1 at 2026-01-01T00:00:00Z`; for an owner by apply only the name. */
const nameOf = ({ manager, operation, subresource, apiVersion, time }: Ownership): string => {
  const name =
    JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '')
  return operation === 'Apply' ? name : `${name} using ${apiVersion} at ${time}`
}

/** Formats one conflict as a line, and several conflicts as one list per owner. */
const conflictMessage = (conflicts: readonly Conflict[]): string => {
  const [first, second] = conflicts
  if (first && !second)
    return `Apply failed with 1 conflict: conflict with ${nameOf(first.owner)}: ${first.field}`
  const byOwner = [...Map.groupBy(conflicts, ({ owner }) => nameOf(owner))]
  const lists = byOwner
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, fields]) => `conflicts with ${name}:\n${fields.map(({ field }) => `- ${field}`).join('\n')}`)
  return `Apply failed with ${conflicts.length} conflicts: ${lists.join('\n')}`
}

const conflictError = (conflicts: readonly Conflict[]): ApiError => {
  const causes = conflicts.map(({ owner, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${nameOf(owner)}`,
    field,
  }))
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message: conflictMessage(conflicts),
    details: { causes },
  })
}

/** Returns the object after the apply, with its new owners. */
const merged = (
  present: KubernetesObject,
  applied: KubernetesObject,
  schema: EnforcedSchema,
  mine: Omit<Ownership, 'fields'>,
  force: boolean,
): KubernetesObject => {
  const ownerships = readOwnerships(present)
  const before = ownerships.find(owner => isSameOwner(owner, mine))
  const others = ownerships.filter(owner => owner !== before)
  const fields = fieldsOf(applied, schema)
  const conflicts = conflictsOf(present, applied, fields, others, schema)
  if (conflicts.length > 0 && !force) throw conflictError(conflicts)

  let result: unknown = present
  const dropped = minus(before?.fields ?? new Map(), fields)
  for (const [key, path] of dropped) {
    if (!others.some(owner => owner.fields.has(key))) result = withoutPath(result, path, schema)
  }
  result = mergeApplied(result, applied, schema)

  const lost = new Set(conflicts.map(({ field }) => field))
  const kept = others.map(owner => ({
    ...owner,
    fields: new Map([...owner.fields].filter(([, path]) => !lost.has(fieldName(path)))),
  }))
  const isSame = before !== undefined && isDeepStrictEqual(before.fields, fields)
  const own = { ...mine, fields, time: isSame ? before.time : mine.time }
  const managedFields = writeOwnerships([own, ...kept])
  const object = result as KubernetesObject
  return { ...object, metadata: { ...object.metadata, managedFields } }
}

/** Unknown fields of an applied configuration are a schema error. */
const schemaOf = (target: UpdateTarget): EnforcedSchema => mergeSchema(target.served.version.schema)

const checkConfiguration = (value: unknown, type: ResourceDefinition): void => {
  if (!isRecord(value) || !isRecord(value.metadata))
    throw badRequest(`the configuration is not a ${type.kind}`)
  if (value.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil')
}

/**
 * PATCH with `application/apply-patch+yaml`: creates the object, or merges the configuration into it. Removes fields
 * that the manager applied before and no longer applies. The merge respects list and map types of the CRD.
 */
export const serverSideApply = (
  context: ApiContext,
  target: UpdateTarget,
  options: WriteOptions,
  body: string,
  force: boolean,
): { readonly entry: StoredRevision; readonly created: boolean } => {
  const { type } = target.served
  const value = parseDocument(body, true)
  checkConfiguration(value, type)
  const given = asObject(value, target.served)
  const applied = given.metadata.name === '' ? withMetadataName(given, target.name) : given
  const schema = schemaOf(target)
  const mine: Omit<Ownership, 'fields'> = {
    manager: options.fieldManager,
    operation: 'Apply',
    subresource: target.subresource,
    apiVersion: applied.apiVersion,
    time: formatSeconds(context.clock.now()),
  }
  const collection = context.store.collection(resourceName(type))
  if (!collection.get(storeKey(target.namespace, target.name)) && target.subresource === undefined) {
    const { uid = '' } = applied.metadata
    if (uid !== '') throw conflict(type, target.name, noneOfUid(uid))
    const managedFields = writeOwnerships([{ ...mine, fields: fieldsOf(applied, schema) }])
    const entry = createObject(context, target.served, target.namespace, applied, {
      ...options,
      managedFields,
    })
    return { entry, created: true }
  }
  const entry = updateObject(context, target, { ...options, managedFields: 'kept' }, present =>
    asObject(merged(present, applied, schema, mine, force), target.served),
  )
  return { entry, created: false }
}

const noneOfUid = (uid: string): string =>
  `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`

const withMetadataName = (object: KubernetesObject, name: string): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, name },
})
