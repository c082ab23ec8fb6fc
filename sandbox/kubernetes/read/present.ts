import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { ServedResource } from '../resources/registry.ts'
import { apiVersionOf } from '../resources/resource-definition.ts'
import type { StoredRevision } from '../store/store.ts'

/** The object in the version that was asked for (conversion strategy None: only `apiVersion` differs). */
export const objectAs = ({ type, version }: ServedResource, entry: StoredRevision): KubernetesObject =>
  version.name === type.storageVersion
    ? entry.object
    : { ...entry.object, apiVersion: apiVersionOf(type.group, version.name) }

/** The same as JSON; in the stored version it is written once for all readers. */
export const jsonAs = (served: ServedResource, entry: StoredRevision): string =>
  served.version.name === served.type.storageVersion ? entry.json() : JSON.stringify(objectAs(served, entry))
