import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  serviceAccount,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import { loadBalancerControllerLabels as labels, loadBalancerControllerName as name } from './names.ts'

const roleName = `${name}-role`
const leaderRoleName = `${name}-leader-election-role`
const leader = `${name}-leader`

const read = ['get', 'list', 'watch']
const elbv2 = 'elbv2.k8s.aws'

const rules = [
  allow(elbv2, 'targetgroupbindings', ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']),
  allow(elbv2, 'ingressclassparams', read),
  allow('', 'events', ['create', 'patch']),
  allow('', 'pods', read),
  allow('networking.k8s.io', 'ingressclasses', read),
  {
    apiGroups: ['', 'extensions', 'networking.k8s.io'],
    resources: ['services', 'ingresses'],
    verbs: ['get', 'list', 'patch', 'update', 'watch'],
  },
  { apiGroups: [''], resources: ['nodes', 'namespaces', 'endpoints'], verbs: read },
  allow('', 'configmaps', ['get', 'delete', 'create', 'update']),
  {
    apiGroups: [elbv2, '', 'extensions', 'networking.k8s.io'],
    resources: ['targetgroupbindings/status', 'pods/status', 'services/status', 'ingresses/status'],
    verbs: ['update', 'patch'],
  },
  allow('discovery.k8s.io', 'endpointslices', read),
  allow('gateway.networking.k8s.io', 'referencegrants', ['get', 'list', 'patch', 'watch']),
]

const leaderRules = [
  allow('', 'configmaps', ['create']),
  allow('', 'configmaps', ['get', 'patch', 'update'], leader),
  allow('coordination.k8s.io', 'leases', ['create']),
  allow('coordination.k8s.io', 'leases', ['get', 'update', 'patch'], leader),
]

/** The permissions of the controller in the shoot. */
export const loadBalancerControllerRoles = (): readonly KubernetesObject[] => [
  serviceAccount(systemNamespace, name, { labels }),
  clusterRole(roleName, rules, labels),
  clusterRoleBinding({ name: `${roleName}binding`, role: roleName, account: name, labels }),
  role(systemNamespace, leaderRoleName, leaderRules, labels),
  roleBinding(systemNamespace, {
    name: `${leaderRoleName}binding`,
    role: leaderRoleName,
    account: name,
    labels,
  }),
]
