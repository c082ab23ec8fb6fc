import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1PolicyRule,
  V1Role,
  V1RoleBinding,
  V1ServiceAccount,
} from '@kubernetes/client-node'
import type { Json, Rendered } from '../kubernetes/kubernetes.ts'
import { systemNamespace, type TextMap } from './system-namespace.ts'

type PolicyRule = Json<V1PolicyRule>

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/**
 * Returns a rule of a role. `name`: for one object only.
 *
 * @example
 * const rules = [allow('storage.k8s.io', 'csinodes', ['get']), allow('', ['pods', 'nodes'], ['list'])]
 */
export const allow = (
  apiGroup: string | readonly string[],
  resource: string | readonly string[],
  verbs: readonly string[],
  name?: string,
): PolicyRule => ({
  apiGroups: [apiGroup].flat(),
  resources: [resource].flat(),
  ...(name !== undefined && { resourceNames: [name] }),
  verbs,
})

const withLabels = (labels: TextMap | undefined) => labels && { labels }

/**
 * Returns a ClusterRole.
 *
 * @example
 * const reader = clusterRole('acme:dns-sync', [allow('', 'services', ['list', 'watch'])])
 */
export const clusterRole = (
  name: string,
  rules: readonly PolicyRule[],
  labels?: TextMap,
): Rendered<V1ClusterRole> => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name, ...withLabels(labels) },
  rules,
})

interface Binding {
  readonly name: string
  /** Name of the role. Default: the binding's name. */
  readonly role?: string
  readonly account: string
  readonly labels?: TextMap
  readonly annotations?: TextMap
}

/**
 * Binds a ClusterRole to a ServiceAccount of the shoot's `kube-system`.
 *
 * @example
 * const binding = clusterRoleBinding({ name: 'acme:dns-sync', account: 'dns-sync' })
 */
export const clusterRoleBinding = ({
  name,
  role: roleName = name,
  account,
  labels,
  annotations,
}: Binding): Rendered<V1ClusterRoleBinding> => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name, ...withLabels(labels), ...(annotations && { annotations }) },
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: roleName },
  subjects: [{ kind: 'ServiceAccount', name: account, namespace: systemNamespace }],
})

/**
 * Returns a Role.
 *
 * @example
 * const leader = role('kube-system', 'dns-sync', [allow('coordination.k8s.io', 'leases', ['get', 'update'])])
 */
export const role = (
  namespace: string,
  name: string,
  rules: readonly PolicyRule[],
  labels?: TextMap,
): Rendered<V1Role> => ({
  apiVersion,
  kind: 'Role',
  metadata: { name, namespace, ...withLabels(labels) },
  rules,
})

/**
 * Binds a Role to a ServiceAccount of the same namespace.
 *
 * @example
 * const binding = roleBinding('kube-system', { name: 'dns-sync', account: 'dns-sync' })
 */
export const roleBinding = (
  namespace: string,
  { name, role: roleName = name, account, labels }: Omit<Binding, 'annotations'>,
): Rendered<V1RoleBinding> => ({
  apiVersion,
  kind: 'RoleBinding',
  metadata: { name, namespace, ...withLabels(labels) },
  roleRef: { apiGroup: group, kind: 'Role', name: roleName },
  subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
})

/**
 * Returns a ServiceAccount. Without `mounted`, pods must request the token explicitly. With it, Kubernetes mounts the
 * token.
 *
 * @example
 * const account = serviceAccount(namespace, 'dns-sync')
 */
export const serviceAccount = (
  namespace: string,
  name: string,
  { labels, mounted = false }: { readonly labels?: TextMap; readonly mounted?: boolean } = {},
): Rendered<V1ServiceAccount> => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace, ...withLabels(labels) },
  ...(!mounted && { automountServiceAccountToken: false }),
})
