import { isDeepStrictEqual } from 'node:util'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { KubernetesObject, Subresource } from '../../../shared/kubernetes/kubernetes.ts'
import { admit } from '../admission/admission.ts'
import { ownersAfterUpdate } from '../apply/managed-fields.ts'
import type { ApiContext, WriteOptions } from '../requests/api-context.ts'
import {
  ApiError,
  badPatch,
  badRequest,
  conflict,
  invalid,
  modifiedMeanwhile,
  notFound,
  UndecodableError,
} from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf, type ResourceDefinition, resourceName } from '../resources/resource-definition.ts'
import { storeKey } from '../store/object-key.ts'
import { createRevision, type StoredRevision } from '../store/store.ts'
import { conform, schemaFaults } from './conform.ts'
import { isHeld, metadataFaults, metadataUpdateFaults, metadataWarnings, tidyMetadata } from './metadata.ts'

export interface UpdateTarget {
  readonly served: ServedResource
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource: Subresource | undefined
  /** For a PUT a different uid is a failed precondition (409), for a PATCH a change of an immutable field (422). */
  readonly isReplace: boolean
}

/** Returns the key of the object in etcd. */
const registryKey = ({ served: { type }, namespace, name }: UpdateTarget): string =>
  `/registry/${type.group === '' ? '' : `${type.group}/`}${type.plural}/${storeKey(namespace, name)}`

const matchesVersion = (target: UpdateTarget, given: KubernetesObject, previous: KubernetesObject): void => {
  const { type } = target.served
  const { resourceVersion = '', uid = '' } = given.metadata
  if (target.isReplace && uid !== '' && uid !== previous.metadata.uid) {
    throw conflict(
      type,
      target.name,
      `StorageError: invalid object, Code: 4, Key: ${registryKey(target)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${previous.metadata.uid}`,
    )
  }
  if (resourceVersion === '' || resourceVersion === '0') {
    if (type.unconditionalUpdate) return
    throw invalid({ group: type.group, kind: type.plural }, target.name, [
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: 0: must be specified for an update',
        field: 'metadata.resourceVersion',
      },
    ])
  }
  if (!/^\d+$/.test(resourceVersion)) {
    const message = `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`
    throw new ApiError({ code: 500, reason: '', message })
  }
  if (resourceVersion !== previous.metadata.resourceVersion) {
    throw conflict(type, target.name, modifiedMeanwhile)
  }
}

const namesTheTarget = ({ name, namespace, isReplace }: UpdateTarget, given: KubernetesObject): void => {
  const { metadata } = given
  if (metadata.name === '') {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    )
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
  }
  if (namespace !== undefined && (metadata.namespace ?? namespace) !== namespace) {
    throw badRequest(
      isReplace
        ? `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`
        : 'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
}

/** Updates the main resource: everything except the status. */
const takeMain = (
  { type, version }: ServedResource,
  given: KubernetesObject,
  previous: KubernetesObject,
): KubernetesObject => {
  const old = previous.metadata
  const metadata = tidyMetadata({
    ...given.metadata,
    ...(type.namespaced ? { namespace: given.metadata.namespace ?? old.namespace ?? '' } : {}),
    uid: given.metadata.uid || (old.uid ?? ''),
    resourceVersion: old.resourceVersion ?? '',
    creationTimestamp: old.creationTimestamp ?? '',
    generation: old.generation as never,
    deletionTimestamp: (old.deletionTimestamp ?? given.metadata.deletionTimestamp) as never,
    deletionGracePeriodSeconds: old.deletionGracePeriodSeconds,
    selfLink: undefined,
  })
  const { status: givenStatus, ...rest } = given
  const status = version.hasStatus ? previous.status : givenStatus
  return {
    ...rest,
    apiVersion: apiVersionOf(type.group, type.storageVersion),
    kind: type.kind,
    metadata,
    ...(status === undefined ? {} : { status }),
  }
}

/** Updates the status subresource of a custom resource. Only the status is used, not even metadata. */
const takeStatus = (given: KubernetesObject, previous: KubernetesObject): KubernetesObject => {
  const { status: _, ...rest } = previous
  return {
    ...(rest as KubernetesObject),
    ...(given.status === undefined || given.status === null ? {} : { status: given.status }),
    metadata: tidyMetadata({ ...previous.metadata, managedFields: given.metadata.managedFields }),
  }
}

/** Returns the part that counts for `metadata.generation`: neither metadata nor a separate status. */
const counted = (object: KubernetesObject, hasStatus: boolean): object => {
  const { metadata: _metadata, status, ...rest } = object
  return hasStatus ? rest : { ...rest, status }
}

const withGeneration = (
  type: ResourceDefinition,
  hasStatus: boolean,
  next: KubernetesObject,
  previous: KubernetesObject,
): KubernetesObject => {
  if (!type.countsGenerations) return next
  if (isDeepStrictEqual(counted(next, hasStatus), counted(previous, hasStatus))) return next
  return { ...next, metadata: { ...next.metadata, generation: (previous.metadata.generation ?? 0) + 1 } }
}

/** An invalid result is reported as an error of the patch. */
const conformPatched = (
  target: UpdateTarget,
  taken: KubernetesObject,
  options: WriteOptions,
): KubernetesObject => {
  try {
    return conform(taken, target.served, options)
  } catch (error) {
    const isPatch = !target.isReplace && options.managedFields !== 'kept'
    throw isPatch && error instanceof UndecodableError ? badPatch(taken, error.why) : error
  }
}

/**
 * PUT and PATCH: `change` computes the new object from the present one. If nothing differs, nothing is written and no
 * event is sent. Removing the last finalizer of an object in deletion deletes it.
 */
export const updateObject = (
  context: ApiContext,
  target: UpdateTarget,
  options: WriteOptions,
  change: (present: KubernetesObject) => KubernetesObject,
): StoredRevision => {
  const { served, namespace, name, subresource } = target
  const { type, version } = served
  const collection = context.store.collection(resourceName(type))
  const key = storeKey(namespace, name)
  const entry = collection.get(key)
  if (!entry) throw notFound(type, name)
  const previous = entry.object
  const given = change({ ...previous, apiVersion: apiVersionOf(type.group, version.name) })
  namesTheTarget(target, given)
  matchesVersion(target, given, previous)

  const take = (object: KubernetesObject): KubernetesObject => {
    const taken = subresource === 'status' ? takeStatus(object, previous) : takeMain(served, object, previous)
    const conformed = conformPatched(target, taken, options)
    return type.prepare?.(conformed, previous) ?? conformed
  }
  const sent = take(given)
  const request = {
    operation: 'UPDATE',
    type,
    version: version.name,
    namespace,
    name,
    subresource,
    oldObject: previous,
    dryRun: options.dryRun,
  } as const
  const isReviewed = context.webhooks !== undefined && subresource !== 'scale'
  const mutated = isReviewed ? context.webhooks.mutate({ ...request, object: sent }) : sent
  const prepared = mutated === sent ? sent : take(mutated)
  const changed =
    subresource === 'status' ? prepared : withGeneration(type, version.hasStatus, prepared, previous)
  if (isDeepStrictEqual(changed, previous)) {
    if (isReviewed) context.webhooks?.validate({ ...request, object: previous })
    return entry
  }
  const object =
    options.managedFields === 'kept'
      ? changed
      : ownersAfterUpdate(changed, previous, version.schema, {
          manager: options.fieldManager,
          subresource,
          time: formatSeconds(context.clock.now()),
        })

  const causes = [
    ...metadataFaults(type, object.metadata),
    ...metadataUpdateFaults(object.metadata, previous.metadata),
    ...schemaFaults(object, previous, served, context.rules, subresource),
    ...(type.check?.(object, previous) ?? []),
  ]
  if (causes.length > 0) throw invalid(type, name, causes)
  if (subresource === undefined) options.warnings.push(...metadataWarnings(object.metadata))
  admit(context.admission, { ...request, object })
  if (isReviewed) context.webhooks?.validate({ ...request, object })
  if (options.dryRun) return createRevision(object, entry.version)
  if (previous.metadata.deletionTimestamp !== undefined && !isHeld(type, object)) {
    return collection.remove(key, object) ?? entry
  }
  return collection.put(key, object)
}
