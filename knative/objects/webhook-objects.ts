import type { V1Role, V1Service } from '@kubernetes/client-node'
import { resourceNames as controlPlaneResources } from '../../shared/control-plane/control-plane.ts'
import { type Rendered, rbacResource } from '../../shared/kubernetes/kubernetes.ts'
import { when } from '../../shared/lists/when.ts'
import {
  componentsOf,
  configurationName,
  registrations,
  serviceNameOf,
  servicePort,
  type WebhookDefinition,
  webhookPermissions,
} from '../../shared/webhooks/admission/admission.ts'
import {
  leaseNameOf,
  readsClusters,
  servedBy,
  type WebhookSettings,
} from '../../shared/webhooks/server/webhook.ts'
import type { Deployment, EnvironmentVariable } from '../deployment.ts'
import { clusterRoleBindingOf, clusterRoleOf, roleBindingOf, serviceAccountOf } from './account-objects.ts'
import { type Explained, explained } from './explained.ts'
import { imageVectorFor } from './image-vector.ts'
import { rbacGroup } from './names.ts'
import { networkLabels, virtualGardenLabel } from './network-labels.ts'
import { memoryComments, processBudget, processDeployment, processEnvironment } from './process-pod.ts'
import { type ReasonedRule, uniqueRules } from './unique-rules.ts'
import { verticalScaling } from './vertical-scaling.ts'

type AskingCluster = WebhookSettings['cluster']

const containerPort = 9443
const gardenFolder = '/var/run/secrets/trellis/garden'

/** Part of the name of its ClusterRole, which also contains the name of the installation. */
const roleOf = { seed: 'webhook', garden: 'admission' } as const

const nameOf = ({ gardenAdmission }: Pick<Deployment, 'gardenAdmission'>, cluster: AskingCluster): string =>
  cluster === 'seed' ? roleOf.seed : gardenAdmission.name

export interface WebhookObjects {
  /** In the cluster of the calling API servers: the permissions of the process there. */
  readonly asking: readonly Explained[]
  /**
   * In the cluster of the process. For a seed, this is the cluster of the calling API servers. The Services precede the
   * pods, because the pods' certificates contain the names of the Services.
   */
  readonly running: readonly Explained[]
}

const heads = {
  seed: 'The webhooks of a seed and its shoots: two replicas. One of them writes registrations.',
  garden: 'Admission in the virtual garden: two replicas. One of them writes registrations.',
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
      explained(
        serviceAccountOf(deployment, name),
        `${heads[cluster]} Generated from the definitions by make manifests.`,
      ),
      role(deployment, name, cluster),
      explained(roleBindingOf(deployment, name)),
      explained(processBudget(deployment, name)),
      ...componentsOf(definitions).map((component, index) =>
        explained(
          serviceOf(deployment, name, component, definitions),
          index === 0 ? 'One Service per component. Its certificate has the name of the Service.' : [],
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
  const components = webhookComponents(definitions)
  const apiGroups = ['admissionregistration.k8s.io']
  const rules: readonly ReasonedRule[] = [
    ...components.map(({ name: component, configurations }) => ({
      rule: {
        apiGroups,
        resources: configurations,
        resourceNames: [configurationName(component, deployment.namespace)],
        verbs: ['get', 'patch'],
      },
    })),
    {
      rule: {
        apiGroups,
        resources: [...new Set(components.flatMap(({ configurations }) => configurations))].toSorted(),
        verbs: ['create'],
      },
    },
    ...uniqueRules(components.flatMap(component => component.rules)),
  ]
  return clusterRoleOf(
    deployment,
    name,
    rules,
    'The lookups of admission functions, and the registrations. Admission writes no object that it reviews.',
  )
}

export interface WebhookComponent {
  readonly name: string
  /** True if API servers of shoots call it. */
  readonly inShoots: boolean
  /** The plurals of its configurations: `mutatingwebhookconfigurations`. */
  readonly configurations: readonly string[]
  /** The permissions of the process for this component, besides those for its configurations. */
  readonly rules: readonly ReasonedRule[]
}

export const webhookComponents = (definitions: readonly WebhookDefinition[]): readonly WebhookComponent[] =>
  componentsOf(definitions).map(name => {
    const own = definitions.filter(({ component }) => component === name)
    const inShoots = own.some(({ target }) => target === 'shoot')
    const configurations = registrations(own, { namespace: '', caBundleOf: () => '' })
    return {
      name,
      inShoots,
      configurations: configurations.map(({ kind }) => `${kind.toLowerCase()}s`),
      rules: [...processRules(own, inShoots), ...lookupRules(own)],
    }
  })

/** The permissions of the process itself, regardless of the lookups of definitions. */
const processRules = (
  definitions: readonly WebhookDefinition[],
  inShoots: boolean,
): readonly ReasonedRule[] => [
  ...(readsClusters(definitions) ? [rule('extensions.gardener.cloud', 'clusters', ['list', 'watch'])] : []),
  rule('', 'namespaces', inShoots ? ['get', 'list'] : ['get']),
  ...when(
    inShoots,
    {
      // An account that may write any ManagedResource can make the resource manager apply anything. Lists select the name.
      rule: {
        apiGroups: ['resources.gardener.cloud'],
        resources: ['managedresources'],
        resourceNames: [controlPlaneResources.webhooks],
        verbs: ['get', 'list', 'patch'],
      },
    },
    rule('', 'secrets', ['get', 'create', 'patch']),
  ),
]

const lookupRules = (definitions: readonly WebhookDefinition[]): readonly ReasonedRule[] =>
  webhookPermissions(definitions).map(permission => ({
    ...rule(permission.resource.group, rbacResource(permission), permission.verbs),
    why: permission.reasons.join('\n'),
  }))

const rule = (group: string, resource: string, verbs: readonly string[]): ReasonedRule => ({
  rule: { apiGroups: [group], resources: [resource], verbs },
})

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
  return explained(object, 'Certificates for all replicas, and the Lease of the replica that writes.')
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
  const { kubeconfigSecret, priorityClassName } = deployment.gardenAdmission
  const vector = imageVectorFor(deployment, definitions)
  const env = [
    { name: 'TRELLIS_CLUSTER', value: cluster },
    { name: 'TRELLIS_COMPONENTS', value: componentsOf(definitions).join() },
    { name: 'TRELLIS_LOG_LEVEL', value: deployment.logLevel },
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ...processEnvironment.process,
    ...(cluster === 'garden' ? gardenEnvironment(deployment) : []),
    ...(vector ? [vector.variable] : []),
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
    priorityClassName: cluster === 'seed' ? deployment.priorityClassName : priorityClassName,
    availability: 'server',
    podLabels: { ...networkLabels(), ...(cluster === 'garden' && virtualGardenLabel) },
    mounted: [
      ...(cluster === 'garden' && kubeconfigSecret !== undefined
        ? [
            {
              volume: { name: 'secret', secret: { secretName: kubeconfigSecret } },
              mountPath: gardenFolder,
            },
          ]
        : []),
      ...(vector ? [{ volume: vector.volume, mountPath: vector.mount.mountPath }] : []),
    ],
  })
  return explained(object, [
    [
      ['spec', 'strategy'],
      'Never fewer than two replicas: API servers refuse objects while no replica answers.',
    ],
    [
      [...pod, 'terminationGracePeriodSeconds'],
      'API servers close their connections within 90 s. A review takes at most 30 s.',
    ],
    ...memoryComments(env, [...pod, 'containers', 0]),
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
