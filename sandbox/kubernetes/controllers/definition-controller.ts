import { formatSeconds } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiContext } from '../requests/api-context.ts'
import { customType } from '../resources/custom-type.ts'
import { cleanupFinalizer } from '../resources/definition-type.ts'
import { resourceName } from '../resources/resource-definition.ts'
import { isRecord } from '../schema/structural-schema.ts'
import type { Controller } from './controller.ts'
import { deleteInBackground, dropFinalizer } from './remove-object.ts'

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

const condition = (type: string, reason: string, message: string, now: number) => ({
  type,
  status: 'True',
  reason,
  message,
  lastTransitionTime: formatSeconds(now),
})

const establishedStatus = (definition: KubernetesObject, now: number): object => {
  const spec = isRecord(definition.spec) ? definition.spec : {}
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isRecord) : []
  return {
    acceptedNames: spec.names,
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found', now),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', now),
    ],
    storedVersions: versions.filter(version => version.storage === true).map(version => version.name),
  }
}

const isEstablished = (definition: KubernetesObject): boolean =>
  isRecord(definition.status) && Array.isArray(definition.status.conditions)

/**
 * Serves the resources of CustomResourceDefinitions. `onRemoved` is called when a resource is no longer served, to end
 * its watches.
 */
export const definitionController =
  (context: ApiContext, onRemoved: (resource: string) => void): Controller =>
  (resource, event) => {
    if (resource === definitions) {
      const present = context.store.collection(definitions).get(event.key)
      if (!present) {
        context.registry.remove(event.key)
        onRemoved(event.key)
        return
      }
      context.registry.put(customType(present.object))
      if (!isEstablished(present.object)) {
        const status = establishedStatus(present.object, context.clock.now())
        context.store.collection(definitions).put(event.key, { ...present.object, status })
      }
      if (present.object.metadata.deletionTimestamp !== undefined) cleanUp(context, present.object)
      return
    }
    if (event.type !== 'DELETED') return
    const definition = context.store.collection(definitions).get(resource)
    if (definition?.object.metadata.deletionTimestamp !== undefined) cleanUp(context, definition.object)
  }

/** Deletes the objects of a definition in deletion, and removes its finalizer when none is left. */
const cleanUp = (context: ApiContext, definition: KubernetesObject): void => {
  const type = customType(definition)
  const objects = context.store.collection(resourceName(type))
  for (const { object } of objects.list()) deleteInBackground(context, type, object)
  if (objects.size === 0) dropFinalizer(context, definitions, definition.metadata.name, cleanupFinalizer)
}
