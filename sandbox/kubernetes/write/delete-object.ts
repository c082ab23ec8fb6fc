import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { admit } from '../admission/admission.ts'
import type { ApiContext } from '../requests/api-context.ts'
import { conflict, notFound } from '../requests/api-error.ts'
import { type ResourceDefinition, resourceName } from '../resources/resource-definition.ts'
import { storeKey } from '../store/object-key.ts'
import { createRevision, type StoredRevision } from '../store/store.ts'
import { isHeld } from './metadata.ts'

export type Propagation = 'Background' | 'Foreground' | 'Orphan'

/** The supported part of `metav1.DeleteOptions`. */
export interface DeleteRequest {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation: Propagation
  readonly dryRun: boolean
}

/** `gone`: the object is deleted. `waiting`: it is marked for deletion and has finalizers. */
export interface Deletion {
  readonly outcome: 'gone' | 'waiting'
  readonly entry: StoredRevision
}

/** The finalizer that makes the garbage collector act before the object is deleted. */
const finalizerOf: Readonly<Record<Propagation, string | undefined>> = {
  Background: undefined,
  Foreground: 'foregroundDeletion',
  Orphan: 'orphan',
}

const checkPreconditions = (
  type: ResourceDefinition,
  name: string,
  present: StoredRevision,
  request: DeleteRequest,
): void => {
  const { uid = '', resourceVersion = '' } = present.object.metadata
  // Unlike all other conflicts, this one names the kind.
  const byKind = { ...type, plural: type.kind }
  if (request.uid !== undefined && request.uid !== uid) {
    const why = `the UID in the precondition (${request.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`
    throw conflict(byKind, name, why)
  }
  if (request.resourceVersion !== undefined && request.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${request.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`
    throw conflict(byKind, name, why)
  }
}

/** Marks an object for deletion. This counts as a change of the object (generation + 1). */
const marked = (type: ResourceDefinition, object: KubernetesObject, now: number): KubernetesObject => {
  const { generation } = object.metadata
  const metadata = {
    ...object.metadata,
    deletionTimestamp: formatSeconds(now),
    deletionGracePeriodSeconds: 0,
    ...(generation === undefined ? {} : { generation: generation + 1 }),
  }
  const next = { ...object, metadata }
  return type.prepare?.(next, object) ?? next
}

const withFinalizer = (object: KubernetesObject, finalizer: string | undefined): KubernetesObject => {
  const finalizers = object.metadata.finalizers ?? []
  return finalizer === undefined || finalizers.includes(finalizer)
    ? object
    : { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } }
}

export const deleteObject = (
  context: ApiContext,
  type: ResourceDefinition,
  namespace: string | undefined,
  name: string,
  request: DeleteRequest,
): Deletion => {
  const collection = context.store.collection(resourceName(type))
  const key = storeKey(namespace, name)
  const entry = collection.get(key)
  if (!entry) throw notFound(type, name)
  checkPreconditions(type, name, entry, request)
  const admitted = {
    operation: 'DELETE',
    type,
    version: type.storageVersion,
    namespace,
    name,
    subresource: undefined,
    oldObject: entry.object,
    dryRun: request.dryRun,
  } as const
  admit(context.admission, admitted)
  context.webhooks?.validate(admitted)
  const present = entry.object
  const next = withFinalizer(present, finalizerOf[request.propagation])
  if (!isHeld(type, next)) {
    if (request.dryRun) return { outcome: 'gone', entry }
    return { outcome: 'gone', entry: collection.remove(key) ?? entry }
  }
  if (present.metadata.deletionTimestamp !== undefined) return { outcome: 'waiting', entry }
  const waiting = marked(type, next, context.clock.now())
  return {
    outcome: 'waiting',
    entry: request.dryRun ? createRevision(waiting, entry.version) : collection.put(key, waiting),
  }
}
