import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRoleBinding,
  role,
  roleBinding,
  systemNamespace,
} from '../../../shared/manifests/manifests.ts'
import { cloudControllerName as account } from './cloud-controller.ts'

const name = `system:${account}`

/** Orphaned until the shoot is gone: the clean-up of its load balancers needs them last. */
const orphaned = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'resources.gardener.cloud/keep-object': 'true' } },
})

/** The permissions of the controller in the shoot. */
export const cloudControllerRoles: readonly KubernetesObject[] = [
  role(systemNamespace, name, [
    allow('coordination.k8s.io', 'leases', ['create', 'list', 'watch']),
    allow('coordination.k8s.io', 'leases', ['update', 'get'], account),
    allow(['', 'events.k8s.io'], 'events', ['create', 'patch', 'update']),
    allow('', 'serviceaccounts', ['get', 'list', 'watch', 'create']),
    allow('', 'serviceaccounts/token', ['create'], 'service-controller'),
  ]),
  roleBinding(systemNamespace, { name, account }),
  roleBinding(systemNamespace, {
    name: `${name}:auth-reader`,
    role: 'extension-apiserver-authentication-reader',
    account,
  }),
  clusterRoleBinding({
    name: `${name}:service-controller`,
    role: 'system:controller:service-controller',
    account,
  }),
].map(orphaned)
