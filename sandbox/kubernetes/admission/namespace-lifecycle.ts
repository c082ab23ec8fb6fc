import { forbidden, notFound } from '../requests/api-error.ts'
import { namespaces } from '../resources/core-types.ts'
import { resourceName } from '../resources/resource-definition.ts'
import type { Store } from '../store/store.ts'
import type { Admission } from './admission.ts'

const immortal = new Set(['default', 'kube-system', 'kube-public'])

/**
 * Refuses to create objects in namespaces that do not exist or are being deleted (kube-apiserver's NamespaceLifecycle).
 */
export const namespaceLifecycle =
  (store: Store): Admission =>
  ({ operation, type, namespace, name }) => {
    if (operation === 'DELETE' && resourceName(type) === 'namespaces' && immortal.has(name)) {
      throw forbidden(type, name, 'this namespace may not be deleted')
    }
    if (operation !== 'CREATE' || namespace === undefined) return
    const found = store.collection('namespaces').get(namespace)
    if (!found) throw notFound(namespaces, namespace)
    if (found.object.metadata.deletionTimestamp === undefined) return
    throw forbidden(
      type,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    )
  }
