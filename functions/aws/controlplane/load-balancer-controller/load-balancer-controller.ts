import type { V1Service } from '@kubernetes/client-node'
import {
  metricsService,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import type { KubernetesObject, Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  podDisruptionBudget,
  role,
  roleBinding,
  serviceAccount,
  systemNamespace,
} from '../../../../shared/manifests/manifests.ts'
import type { Component } from '../objects/workload.ts'
import { loadBalancerControllerDeployment } from './deployment.ts'
import {
  loadBalancerControllerLabels as labels,
  loadBalancerControllerLabels,
  metricsPort,
  loadBalancerControllerName as name,
  webhookPort,
  webhookServiceName,
} from './names.ts'
import { loadBalancerWebhooks } from './webhooks.ts'

/** Creates application load balancers for Ingresses and network load balancers for Services, if a user enables it. */
export const loadBalancerController: Component = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, name, labels),
    metricsService(rendering.namespace, name, { selector: labels, port: metricsPort }),
    webhookService(rendering.namespace),
    loadBalancerControllerDeployment(rendering),
    verticalPodAutoscaler(rendering.namespace, name, [name], { name }),
  ],
  shoot: rendering =>
    rendering.config.loadBalancerController.enabled
      ? [...loadBalancerControllerRoles(), ...loadBalancerWebhooks(rendering)]
      : [],
}

/** The Service by which the shoot's API server, in the same namespace, calls the webhooks. */
const webhookService = (namespace: string): Rendered<V1Service> => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    annotations: {
      'networking.resources.gardener.cloud/from-all-webhook-targets-allowed-ports': JSON.stringify([
        { protocol: 'TCP', port: webhookPort },
      ]),
    },
    name: webhookServiceName,
    namespace,
  },
  spec: {
    ports: [{ port: 443, name: 'webhook-server', targetPort: webhookPort }],
    selector: loadBalancerControllerLabels,
  },
})

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

const loadBalancerControllerRoles = (): readonly KubernetesObject[] => [
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
