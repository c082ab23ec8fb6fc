import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** Dependencies precede their users: an account before its pods, a kind before its objects. */
const kinds = [
  'NetworkPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'ConfigMap',
  'StorageClass',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Deployment',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]

/**
 * Returns the objects in the order of their kinds, like the Go extension. Unlisted kinds are last, by name.
 *
 * @example
 * const sorted = inInstallOrder(objects)
 */
export const inInstallOrder = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) || Number(one.kind > other.kind) - Number(one.kind < other.kind),
  )

const rankOf = ({ kind }: KubernetesObject): number => {
  const rank = kinds.indexOf(kind)
  return rank === -1 ? kinds.length : rank
}
