import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** What others need comes first: an account before the pods that have it, a kind before its objects. */
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
 * The objects in the order of their kinds, as the Go extension writes them; kinds that are not in the list come last, by
 * their names.
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
