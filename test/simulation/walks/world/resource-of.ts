import { clusterKind, type KindName, kinds } from '../../../../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/**
 * Returns the resource of an object beside the function's own: a Cluster, an extension object, or one of Kubernetes.
 */
export const resourceOf = ({ kind, apiVersion }: KubernetesObject): GroupVersionResource => {
  if (kind === 'Cluster') return clusterKind.resource
  const extension = kinds[kind as KindName]
  if (extension !== undefined) return extension.resource
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  return { group, version, plural: `${kind.toLowerCase()}s`, namespaced: kind !== 'Namespace' }
}
