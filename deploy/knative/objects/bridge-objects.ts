import type { V1Role } from '@kubernetes/client-node'
import { formatServedObjects, knativeResources } from '../../../bridge/bridge.ts'
import type { Json, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Deployment } from '../deployment.ts'
import { clusterRoleBindingOf, clusterRoleOf, roleBindingOf, serviceAccountOf } from './account-objects.ts'
import { bridgeRules } from './bridge-rules.ts'
import { bridgeService } from './bridge-service.ts'
import { eventPolicies } from './event-policies.ts'
import { type Comment, type Explained, explained } from './explained.ts'
import { rbacGroup } from './names.ts'
import { networkLabels } from './network-labels.ts'
import { memoryComments, processBudget, processDeployment, processEnvironment } from './process-pod.ts'
import { verticalScaling } from './vertical-scaling.ts'

const name = 'bridge'

/**
 * The objects of the bridge, which has two pods: one sends, the other is on standby. The account comes first, then the
 * SinkBinding with the Broker's address, because a pod created before the SinkBinding has no sink.
 */
export const bridgeObjects = (deployment: Deployment): readonly Explained[] => [
  explained(
    serviceAccountOf(deployment, name),
    'The bridge: two replicas. One of them sends, the other is on standby. Generated from the definitions by make manifests.',
  ),
  clusterRoleOf(
    deployment,
    name,
    bridgeRules(deployment),
    'The bridge reads. It writes only its own Lease, the heartbeats of extensions, and Events on objects without a claim or an event.',
  ),
  explained(clusterRoleBindingOf(deployment, name)),
  role(deployment),
  explained(roleBindingOf(deployment, name)),
  explained(
    bridgeService(deployment),
    'Functions report their metrics here, because most of their pods end before Prometheus scrapes them.',
  ),
  explained(processBudget(deployment, name)),
  explained(
    sinkBinding(deployment),
    'Gives the bridge the address of the Broker (K_SINK), its CA (K_CA_CERTS and mounted bundles), and a token if the cluster requires\none (/oidc/token).',
  ),
  ...eventPolicies(deployment),
  bridgeDeployment(deployment),
  ...verticalScaling(deployment, name, 'bridge'),
]

/** Returns the list of functions for the bridge (`TRELLIS_SERVED`). */
export const servedObjectsOf = ({ functions }: Pick<Deployment, 'functions'>): string =>
  functions
    .flatMap(({ kind, types, classes }) => types.map(type => formatServedObjects({ kind, type, classes })))
    .join()

const bridgeDeployment = (deployment: Deployment): Explained => {
  const { seed, extensions, logLevel, bridge, priorityClassName } = deployment
  const env = [
    { name: 'TRELLIS_SEED', value: seed },
    { name: 'TRELLIS_SERVED', value: servedObjectsOf(deployment) },
    { name: 'TRELLIS_LOG_LEVEL', value: logLevel },
    ...(extensions.length > 0 ? [{ name: 'TRELLIS_EXTENSIONS', value: extensions.join() }] : []),
    ...processEnvironment.process,
  ]
  const object = processDeployment(deployment, {
    name,
    program: 'bridge',
    process: bridge,
    env,
    readinessPeriod: 5,
    terminationGrace: 10,
    priorityClassName,
    availability: 'controller',
    labels: { 'bindings.knative.dev/include': 'true' },
    podLabels: networkLabels(),
  })
  const pod = ['spec', 'template', 'spec']
  const above = (variable: string, text: string): readonly Comment[] => {
    const index = env.findIndex(one => one.name === variable)
    return index === -1 ? [] : [[[...pod, 'containers', 0, 'env', index], text]]
  }
  return explained(object, [
    ...(priorityClassName === undefined
      ? []
      : [[[...pod, 'priorityClassName'], 'The class of extension controllers. Every seed has it.'] as const]),
    [
      [...pod, 'terminationGracePeriodSeconds'],
      'Requests in flight get a second. Then the other replica takes over.',
    ],
    ...above('TRELLIS_SEED', 'Set the name of this seed. The source of every event contains it.'),
    ...above(
      'TRELLIS_SERVED',
      'The kinds, types and classes with functions. The bridge ignores other objects.',
    ),
    ...above('TRELLIS_EXTENSIONS', 'gardenlet reads the Lease of an extension as its heartbeat.'),
    ...memoryComments(env, [...pod, 'containers', 0]),
  ])
}

const sinkBinding = ({ namespace, broker }: Deployment): KubernetesObject => ({
  apiVersion: 'sources.knative.dev/v1',
  kind: 'SinkBinding',
  metadata: { name, namespace },
  spec: {
    subject: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    sink: { ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: broker.name } },
  },
})

const role = ({ namespace }: Deployment): Explained => {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
  const rules: Json<V1Role>['rules'] = [
    { ...leases, resourceNames: ['trellis-bridge'], verbs: ['get', 'list', 'watch', 'update'] },
    { ...leases, verbs: ['create'] },
    ...Object.values(knativeResources).map(({ group, plural }) => ({
      apiGroups: [group],
      resources: [plural],
      verbs: ['list', 'watch'],
    })),
  ]
  return explained({ apiVersion: `${rbacGroup}/v1`, kind: 'Role', metadata: { name, namespace }, rules }, [
    [
      ['rules', 0],
      'Only its own Lease (TRELLIS_LEASE_NAME). The Lease of a shard has its number: trellis-bridge-0-of-3.',
    ],
    [['rules', 1], 'RBAC cannot restrict a create by name.'],
    [
      ['rules', 2],
      'A heartbeat stops while the way of events to a function with health checks is not ready.',
    ],
  ])
}
