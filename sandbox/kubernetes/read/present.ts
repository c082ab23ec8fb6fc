import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf } from '../resources/resource-definition.ts'
import type { StoredRevision } from '../store/store.ts'

/** Returns the object in the requested version (conversion strategy None: only `apiVersion` differs). */
export const objectAs = ({ type, version }: ServedResource, entry: StoredRevision): KubernetesObject =>
  version.name === type.storageVersion
    ? entry.object
    : { ...entry.object, apiVersion: apiVersionOf(type.group, version.name) }

/** Returns the object as JSON. In the stored version it is serialized once for all readers. */
export const jsonAs = (served: ServedResource, entry: StoredRevision): string =>
  served.version.name === served.type.storageVersion ? entry.json() : JSON.stringify(objectAs(served, entry))
