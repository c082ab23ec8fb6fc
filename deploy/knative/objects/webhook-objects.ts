import type { V1ClusterRole, V1PolicyRule, V1Role, V1Service } from '@kubernetes/client-node'
import { type Json, type Rendered, rbacResource } from '../../../shared/kubernetes/kubernetes.ts'
import {
  componentsOf,
  registrations,
  serviceNameOf,
  servicePort,
  type WebhookDefinition,
  webhookPermissions,
} from '../../../shared/webhooks/admission/admission.ts'
import {
  leaseNameOf,
  readsClusters,
  servedBy,
  type WebhookSettings,
} from '../../../shared/webhooks/server/webhook.ts'
import type { Deployment, EnvironmentVariable } from '../deployment.ts'
import { clusterRoleBindingOf, roleBindingOf, serviceAccountOf } from './account-objects.ts'
import { type Comment, type Explained, explained } from './explained.ts'
import { clusterRoleName, rbacGroup } from './names.ts'
import { networkLabels, virtualGardenLabel } from './network-labels.ts'
import { processBudget, processDeployment, smallHeap } from './process-pod.ts'
import { verticalScaling } from './vertical-scaling.ts'

type AskingCluster = WebhookSettings['cluster']

const containerPort = 9443
const gardenFolder = '/var/run/secrets/trellis/garden'

/** Part of the name of its ClusterRole, which also contains the name of the installation. */
const roleOf = { seed: 'webhook', garden: 'admission' } as const

const nameOf = ({ gardenAdmission }: Pick<Deployment, 'gardenAdmission'>, cluster: AskingCluster): string =>
  cluster === 'seed' ? roleOf.seed : gardenAdmission.name

/** The objects of a webhook process, by their cluster. */
export interface WebhookObjects {
  /** In the cluster of the calling API servers: the permissions of the process there. */
  readonly asking: readonly Explained[]
  /**
   * In the cluster of the process; for a seed the same cluster. The Services precede the pods, because the certificates
   * of these name them.
   */
  readonly running: readonly Explained[]
}

const heads = {
  seed: 'The webhooks of a seed and its shoots: two replicas, one of which writes registrations.',
  garden: 'Admission in the virtual garden: two replicas, one of which writes registrations.',
} as const

/** Returns the objects of the webhooks that this cluster calls. Empty if it has none. */
export const webhookObjects = (deployment: Deployment, cluster: AskingCluster): WebhookObjects => {
  const definitions = servedBy({ cluster, components: [] }, deployment.webhooks)
  if (definitions.length === 0) return { asking: [], running: [] }
  const name = nameOf(deployment, cluster)
  const { account = { name, namespace: deployment.namespace } } = deployment.gardenAdmission
  return {
    asking: [
      clusterRole(deployment, roleOf[cluster], definitions),
      explained(
        clusterRoleBindingOf(deployment, roleOf[cluster], cluster === 'garden' ? account : undefined),
      ),
    ],
    running: [
      explained(serviceAccountOf(deployment, name), [
        [[], `${heads[cluster]} Generated from the definitions by make manifests.`],
      ]),
      role(deployment, name, cluster),
      explained(roleBindingOf(deployment, name)),
      explained(processBudget(deployment, name)),
      ...componentsOf(definitions).map((component, index) =>
        explained(
          serviceOf(deployment, name, component, definitions),
          index === 0
            ? [[[], 'One for each component; the server selects its certificate by this name.']]
            : [],
        ),
      ),
      webhookDeployment(deployment, name, cluster, definitions),
      ...verticalScaling(deployment, name, 'webhook'),
    ],
  }
}

const clusterRole = (
  deployment: Deployment,
  name: string,
  definitions: readonly WebhookDefinition[],
): Explained => {
  const own = processRules(deployment, definitions)
  const permissions = webhookPermissions(definitions)
  const object: Rendered<V1ClusterRole> = {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name: clusterRoleName(deployment, name) },
    rules: [
      ...own,
      ...permissions.map(permission => ({
        apiGroups: [permission.resource.group],
        resources: [rbacResource(permission)],
        verbs: [...permission.verbs],
      })),
    ],
  }
  return explained(object, [
    [[], 'Reads of the admission functions, and the registrations. No reviewed object is written.'],
    ...permissions.map(({ reasons }, index): Comment => [['rules', own.length + index], reasons.join('\n')]),
  ])
}

const role = ({ namespace }: Deployment, name: string, cluster: AskingCluster): Explained => {
  const object: Rendered<V1Role> = {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'Role',
    metadata: { name, namespace },
    rules: [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'create', 'patch', 'delete'] },
      {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        resourceNames: [cluster === 'seed' ? leaseNameOf({ cluster }) : name],
        verbs: ['get', 'list', 'watch', 'update'],
      },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
    ],
  }
  return explained(object, [[[], 'Certificates for all replicas, and the Lease of the writing replica.']])
}

/** The permissions of the process itself, regardless of the lookups of definitions. */
const processRules = (
  { namespace }: Pick<Deployment, 'namespace'>,
  definitions: readonly WebhookDefinition[],
): readonly Json<V1PolicyRule>[] => {
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

const serviceOf = (
  { namespace }: Pick<Deployment, 'namespace'>,
  app: string,
  component: string,
  definitions: readonly WebhookDefinition[],
): Rendered<V1Service> => {
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

const webhookDeployment = (
  deployment: Deployment,
  name: string,
  cluster: AskingCluster,
  definitions: readonly WebhookDefinition[],
): Explained => {
  const pod = ['spec', 'template', 'spec']
  const { kubeconfigSecret } = deployment.gardenAdmission
  const env = [
    { name: 'TRELLIS_CLUSTER', value: cluster },
    { name: 'TRELLIS_COMPONENTS', value: componentsOf(definitions).join() },
    { name: 'TRELLIS_LOG_LEVEL', value: deployment.logLevel },
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ...smallHeap,
    ...(cluster === 'garden' ? gardenEnvironment(deployment) : []),
  ]
  const object = processDeployment(deployment, {
    name,
    program: 'webhook',
    process: deployment.webhook,
    env,
    ports: [{ name: 'reviews', containerPort }],
    readinessPeriod: 2,
    terminationGrace: 140,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    priorityClassName: cluster === 'seed' ? deployment.priorityClassName : 'gardener-garden-system-400',
    availability: 'server',
    podLabels: { ...networkLabels(), ...(cluster === 'garden' && virtualGardenLabel) },
    ...(cluster === 'garden' &&
      kubeconfigSecret !== undefined && { secret: { name: kubeconfigSecret, mountPath: gardenFolder } }),
  })
  return explained(object, [
    [['spec', 'strategy'], 'Never fewer than two, because API servers stop if no replica answers.'],
    [
      [...pod, 'terminationGracePeriodSeconds'],
      'Callers disconnect within 90 s; none is cut off before, and a review takes at most 30 s.',
    ],
    [
      [...pod, 'containers', 0, 'env', env.findIndex(({ name: variable }) => variable === 'NODE_OPTIONS')],
      'Objects pass through and are not retained. Without limits, V8 would let tens of megabytes of them pile up.',
    ],
  ])
}

/** API servers of a virtual garden cannot use Services of the cluster in which they run, but resolve their names. */
const gardenEnvironment = ({ gardenAdmission }: Deployment): readonly EnvironmentVariable[] => {
  const { name, kubeconfigSecret, ownerNamespace } = gardenAdmission
  return [
    { name: 'TRELLIS_LEASE_NAME', value: name },
    { name: 'TRELLIS_SERVICE_URLS', value: 'true' },
    ...(ownerNamespace === undefined ? [] : [{ name: 'TRELLIS_OWNER_NAMESPACE', value: ownerNamespace }]),
    ...(kubeconfigSecret === undefined
      ? []
      : [{ name: 'GARDEN_KUBECONFIG', value: `${gardenFolder}/kubeconfig` }]),
  ]
}
