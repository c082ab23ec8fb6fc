import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { cloudControllerName as account } from './cloud-controller.ts'

const namespace = 'kube-system'
const name = `system:${account}`
const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/** Orphaned until the shoot is gone: the clean-up of its load balancers needs them last. */
const annotations = { 'resources.gardener.cloud/keep-object': 'true' }
const subjects = [{ kind: 'ServiceAccount', name: account, namespace }]

const rule = (apiGroup: string, resource: string, verbs: readonly string[], resourceName?: string) => ({
  apiGroups: [apiGroup],
  resources: [resource],
  ...(resourceName !== undefined && { resourceNames: [resourceName] }),
  verbs,
})

/** The permissions of the controller in the shoot. */
export const cloudControllerRoles: readonly KubernetesObject[] = [
  {
    apiVersion,
    kind: 'Role',
    metadata: { name, namespace, annotations },
    rules: [
      rule('coordination.k8s.io', 'leases', ['create', 'list', 'watch']),
      rule('coordination.k8s.io', 'leases', ['update', 'get'], account),
      { ...rule('', 'events', ['create', 'patch', 'update']), apiGroups: ['', 'events.k8s.io'] },
      rule('', 'serviceaccounts', ['get', 'list', 'watch', 'create']),
      rule('', 'serviceaccounts/token', ['create'], 'service-controller'),
    ],
  },
  {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name, namespace, annotations },
    roleRef: { apiGroup: group, kind: 'Role', name },
    subjects,
  },
  {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name: `${name}:auth-reader`, namespace, annotations },
    roleRef: { apiGroup: group, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects,
  },
  {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: `${name}:service-controller`, annotations },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'system:controller:service-controller' },
    subjects,
  },
]
