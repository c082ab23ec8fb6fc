import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1Deployment,
  V1PodDisruptionBudget,
  V1PolicyRule,
  V1Role,
  V1RoleBinding,
  V1Service,
  V1ServiceAccount,
} from '@kubernetes/client-node'
import {
  componentsOf,
  registrations,
  serviceNameOf,
  servicePort,
  type WebhookDefinition,
  webhookPermissions,
} from '../shared/admission/admission.ts'
import { rbacResource } from '../shared/kubernetes/kubernetes.ts'
import { leaseName, readsClusters, type WebhookSettings } from '../webhook/webhook.ts'

/** Where the process lives, in a seed as in the cluster of a garden. */
const namespace = 'trellis'
const containerPort = 9443

/** The objects that make a process of webhooks run. */
export interface WebhookObjects {
  readonly deployment: V1Deployment
  readonly services: readonly V1Service[]
  readonly budget: V1PodDisruptionBudget
  readonly serviceAccount: V1ServiceAccount
  /** In the cluster of the API servers that ask. */
  readonly clusterRole: V1ClusterRole & { readonly rules: V1PolicyRule[] }
  readonly clusterRoleBinding: V1ClusterRoleBinding
  /** Where it runs. */
  readonly role: V1Role
  readonly roleBinding: V1RoleBinding
}

/** How many of the rules of the cluster role are the process's own; those of the functions follow. */
export const ownRules = (definitions: readonly WebhookDefinition[]): number =>
  processRules(definitions).length

export const webhookObjects = (
  cluster: WebhookSettings['cluster'],
  definitions: readonly WebhookDefinition[],
): WebhookObjects => {
  const name = cluster === 'seed' ? 'webhook' : 'admission'
  const role = `extensions.gardener.cloud:trellis:${name}`
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const apiGroup = 'rbac.authorization.k8s.io'
  const rbac = `${apiGroup}/v1`
  return {
    deployment: deploymentOf(name, cluster),
    services: componentsOf(definitions).map(component => serviceOf(name, component, definitions)),
    budget: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } },
    },
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    clusterRole: {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name: role },
      rules: [
        ...processRules(definitions),
        ...webhookPermissions(definitions).map(permission => ({
          apiGroups: [permission.resource.group],
          resources: [rbacResource(permission)],
          verbs: [...permission.verbs],
        })),
      ],
    },
    clusterRoleBinding: {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects,
    },
    role: {
      apiVersion: rbac,
      kind: 'Role',
      metadata: { name, namespace },
      rules: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'create', 'patch', 'delete'] },
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          resourceNames: [leaseName({ cluster })],
          verbs: ['get', 'list', 'watch', 'update'],
        },
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
      ],
    },
    roleBinding: {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata: { name, namespace },
      roleRef: { apiGroup, kind: 'Role', name },
      subjects,
    },
  }
}

const processRules = (definitions: readonly WebhookDefinition[]): V1PolicyRule[] => {
  const configurations = registrations(definitions, { namespace, caBundleOf: () => '' })
  const byKind = Map.groupBy(configurations, ({ kind }) => `${kind.toLowerCase()}s`)
  const apiGroups = ['admissionregistration.k8s.io']
  const inShoots = definitions.some(({ target }) => target === 'shoot')
  return [
    ...(readsClusters(definitions)
      ? [{ apiGroups: ['extensions.gardener.cloud'], resources: ['clusters'], verbs: ['list', 'watch'] }]
      : []),
    ...[...byKind].toSorted().map(([plural, alike]) => ({
      apiGroups,
      resources: [plural],
      resourceNames: alike.map(({ metadata }) => metadata.name),
      verbs: ['get', 'patch'],
    })),
    { apiGroups, resources: [...byKind.keys()].toSorted(), verbs: ['create'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: inShoots ? ['get', 'list'] : ['get'] },
    ...(inShoots
      ? [
          {
            apiGroups: ['resources.gardener.cloud'],
            resources: ['managedresources'],
            verbs: ['get', 'list', 'patch'],
          },
          { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch'] },
        ]
      : []),
  ]
}

const serviceOf = (app: string, component: string, definitions: readonly WebhookDefinition[]): V1Service => {
  const inShoots = definitions.some(one => one.component === component && one.target === 'shoot')
  const ports = JSON.stringify([{ protocol: 'TCP', port: containerPort }])
  const networking = 'networking.resources.gardener.cloud'
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: serviceNameOf(component),
      namespace,
      annotations: {
        [`${networking}/from-world-to-ports`]: ports,
        ...(inShoots && {
          [`${networking}/from-all-webhook-targets-allowed-ports`]: ports,
          [`${networking}/namespace-selectors`]: JSON.stringify([
            { matchLabels: { 'gardener.cloud/role': 'shoot' } },
          ]),
          [`${networking}/pod-label-selector-namespace-alias`]: 'extensions',
        }),
      },
    },
    spec: {
      selector: { app },
      ports: [{ name: 'reviews', port: servicePort, targetPort: 'reviews', protocol: 'TCP' }],
    },
  }
}

const deploymentOf = (name: string, cluster: WebhookSettings['cluster']): V1Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels: { app: name } },
  spec: {
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: { app: name } },
    template: {
      metadata: {
        labels: { app: name },
        annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
      },
      spec: {
        serviceAccountName: name,
        enableServiceLinks: false,
        priorityClassName: cluster === 'seed' ? 'gardener-system-900' : 'gardener-garden-system-400',
        terminationGracePeriodSeconds: 140,
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: { app: name } },
          },
        ],
        containers: [
          {
            name: 'webhook',
            image: 'trellis/webhook:latest',
            env: [
              { name: 'TRELLIS_CLUSTER', value: cluster },
              { name: 'NODE_OPTIONS', value: '--max-semi-space-size=2 --max-old-space-size=192' },
              { name: 'MALLOC_ARENA_MAX', value: '1' },
              ...(cluster === 'garden'
                ? [
                    {
                      name: 'GARDEN_KUBECONFIG',
                      value: '/var/run/secrets/gardener.cloud/garden/generic-kubeconfig/kubeconfig',
                    },
                  ]
                : []),
            ],
            ports: [
              { name: 'reviews', containerPort },
              { name: 'metrics', containerPort: 8080 },
            ],
            readinessProbe: { httpGet: { path: '/health/readiness', port: 'metrics' }, periodSeconds: 2 },
            livenessProbe: {
              httpGet: { path: '/health/liveness', port: 'metrics' },
              periodSeconds: 30,
              timeoutSeconds: 5,
            },
            resources: { requests: { cpu: '20m', memory: '100Mi' }, limits: { memory: '384Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              runAsNonRoot: true,
              capabilities: { drop: ['ALL'] },
              seccompProfile: { type: 'RuntimeDefault' },
            },
          },
        ],
      },
    },
  },
})
