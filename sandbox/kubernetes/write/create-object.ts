import { randomInt } from 'node:crypto'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type AdmissionRequest, admit } from '../admission/admission.ts'
import type { ApiContext, WriteOptions } from '../requests/api-context.ts'
import { ApiError, alreadyExists, badRequest, invalid } from '../requests/api-error.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf, resourceName } from '../resources/resource-definition.ts'
import { storeKey } from '../store/object-key.ts'
import { createRevision, type StoredRevision } from '../store/store.ts'
import { conform, schemaFaults } from './conform.ts'
import { metadataFaults, metadataWarnings, tidyMetadata } from './metadata.ts'

/** The letters of generated names. Without vowels they form no words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'

/** The longest prefix that leaves five letters in a name of 63. */
const longestPrefix = 58

export const newSuffix = (): string =>
  Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

const withName = (object: KubernetesObject, suffix: () => string): KubernetesObject => {
  const { name, generateName: prefix } = object.metadata
  if (name !== '' || typeof prefix !== 'string' || prefix === '') return object
  return { ...object, metadata: { ...object.metadata, name: prefix.slice(0, longestPrefix) + suffix() } }
}

/** Returns the object after the mutating webhooks. They see it as it would be stored. */
const mutated = (
  context: ApiContext,
  served: ServedResource,
  request: Pick<AdmissionRequest, 'namespace' | 'dryRun'> & { readonly object: KubernetesObject },
): KubernetesObject => {
  const { namespace, object, dryRun } = request
  if (context.webhooks === undefined) return object
  const { type, version } = served
  const prepared = type.prepare?.(object, undefined) ?? object
  const metadata = { ...prepared.metadata, ...(namespace !== undefined && { namespace }) }
  return context.webhooks.mutate({
    operation: 'CREATE',
    type,
    version: version.name,
    namespace,
    name: object.metadata.name,
    subresource: undefined,
    object: { ...prepared, metadata },
    dryRun,
  })
}

const omitStatus = ({ status: _, ...rest }: KubernetesObject): KubernetesObject => rest as KubernetesObject

/** Returns the new object to store, before validation. */
const initialise = (
  context: ApiContext,
  { type, version }: ServedResource,
  namespace: string | undefined,
  given: KubernetesObject,
  managedFields: WriteOptions['managedFields'],
): KubernetesObject => {
  const {
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    selfLink: _link,
    managedFields: _managed,
    ...metadata
  } = given.metadata
  const object = version.hasStatus ? omitStatus(given) : given
  return {
    ...object,
    apiVersion: apiVersionOf(type.group, type.storageVersion),
    metadata: tidyMetadata({
      ...metadata,
      ...(namespace === undefined ? { namespace: undefined as never } : { namespace }),
      uid: context.newUid(),
      creationTimestamp: formatSeconds(context.clock.now()),
      ...(type.countsGenerations ? { generation: 1 } : {}),
      ...(typeof managedFields === 'object' ? { managedFields } : {}),
    }),
  }
}

/** POST: stores a new object. */
export const createObject = (
  context: ApiContext,
  served: ServedResource,
  namespace: string | undefined,
  given: KubernetesObject,
  options: WriteOptions,
): StoredRevision => {
  const { type } = served
  if (type.namespaced && namespace !== undefined && (given.metadata.namespace ?? namespace) !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (given.metadata.resourceVersion !== undefined && given.metadata.resourceVersion !== '') {
    throw new ApiError({
      code: 500,
      reason: '',
      message: 'resourceVersion should not be set on objects to be created',
    })
  }
  const named = withName(given, context.newSuffix)
  const { name } = named.metadata
  if (name === '') {
    throw invalid(type, '', [
      {
        reason: 'FieldValueRequired',
        message: 'Required value: name or generateName is required',
        field: 'metadata.name',
      },
    ])
  }
  const { dryRun } = options
  const request = {
    operation: 'CREATE',
    type,
    version: served.version.name,
    namespace,
    name,
    subresource: undefined,
    dryRun,
  } as const
  admit(context.admission, { ...request, object: named })
  const sent = mutated(context, served, { namespace, object: conform(given, served, options), dryRun })
  const initialised = initialise(
    context,
    served,
    namespace,
    withName(sent, context.newSuffix),
    options.managedFields,
  )
  const object = type.prepare?.(initialised, undefined) ?? initialised
  const causes = [
    ...metadataFaults(type, object.metadata),
    ...schemaFaults(object, undefined, served, context.rules),
    ...(type.check?.(object, undefined) ?? []),
  ]
  if (causes.length > 0) throw invalid(type, name, causes)
  options.warnings.push(...metadataWarnings(object.metadata))
  context.webhooks?.validate({ ...request, object })
  const collection = context.store.collection(resourceName(type))
  const key = storeKey(namespace, name)
  if (collection.get(key)) throw alreadyExists(type, name)
  return options.dryRun ? createRevision(object, 0) : collection.put(key, object)
}
