import type { V1Role } from '@kubernetes/client-node'
import { formatServedObjects, knativeResources } from '../../bridge/bridge.ts'
import { monitoredKinds } from '../../shared/contract/health.ts'
import { ownHealthOf } from '../../shared/health/health.ts'
import type { Json, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { when } from '../../shared/lists/when.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'
import type { Deployment } from '../deployment.ts'
import { clusterRoleBindingOf, clusterRoleOf, roleBindingOf, serviceAccountOf } from './account-objects.ts'
import { bridgeRules, reportRule } from './bridge-rules.ts'
import { bridgeService, undeliveredUrl } from './bridge-service.ts'
import { type Comment, type Explained, explained } from './explained.ts'
import { rbacGroup } from './names.ts'
import { networkLabels } from './network-labels.ts'
import {
  memoryComments,
  type ProcessPod,
  processBudget,
  processDeployment,
  processEnvironment,
} from './process-pod.ts'
import { seedProcessComments, seedProcessPod, seedProcessRules } from './seed-process-pod.ts'
import { verticalScaling } from './vertical-scaling.ts'

const name = 'bridge'

/**
 * The objects of the bridge, which has two pods: one sends, the other is on standby. The account comes first, then the
 * SinkBinding with the Broker's address, because a pod created before the SinkBinding has no sink.
 *
 * In the mode `seed-process` the same objects run bridge and functions without Knative. They have the same names, so a
 * change of the mode replaces the pods, and both modes share the Lease.
 */
export const bridgeObjects = (deployment: Deployment): readonly Explained[] => [
  explained(
    serviceAccountOf(deployment, name),
    `${isSeedProcess(deployment) ? 'The seed process: the bridge, and the functions that it starts.' : 'The bridge: two replicas. One of them sends, the other is on standby.'} Generated from the definitions by make manifests.`,
  ),
  isSeedProcess(deployment)
    ? clusterRoleOf(
        deployment,
        name,
        seedProcessRules(deployment),
        'The permissions of the bridge and of all functions, which share an account. In its process, each function has only its own.',
      )
    : clusterRoleOf(
        deployment,
        name,
        [...bridgeRules(deployment), reportRule],
        'The bridge reads. It writes only its own Lease, the heartbeats of extensions, and Events on objects without a claim or an event.',
      ),
  explained(clusterRoleBindingOf(deployment, name)),
  role(deployment),
  explained(roleBindingOf(deployment, name)),
  explained(
    bridgeService(deployment),
    `Functions report their metrics here, because most of their processes end before Prometheus scrapes them.${isSeedProcess(deployment) ? '' : ' The Broker\nreturns events here that it could not deliver.'}`,
  ),
  explained(processBudget(deployment, name)),
  ...(isSeedProcess(deployment) ? [] : [explainedBinding(deployment), ...eventPolicies(deployment)]),
  bridgeDeployment(deployment),
  ...verticalScaling(deployment, name, 'bridge'),
]

const isSeedProcess = ({ mode }: Pick<Deployment, 'mode'>): boolean => mode === 'seed-process'

/** Returns the list of functions for the bridge (`TRELLIS_SERVED`). */
export const servedObjectsOf = ({ functions }: Pick<Deployment, 'functions'>): string =>
  functions
    .flatMap(definition => {
      const { kind, classes, health } = definition
      // Functions of other kinds have no checks unless TRELLIS_HEALTH lists them.
      const unchecked = monitoredKinds[kind] !== undefined && health === undefined
      return routedTypes(definition).map(type => formatServedObjects({ kind, type, classes, unchecked }))
    })
    .join()

/** Returns the health of functions that differs from that of their kind, as JSON for the bridge (`TRELLIS_HEALTH`). */
export const healthJsonOf = ({ functions }: Pick<Deployment, 'functions'>): string | undefined => {
  const own = ownHealthOf(functions)
  return own.length === 0 ? undefined : JSON.stringify(own)
}

/** The differences of a bridge that sends to a Broker. */
const bridgePod = (
  { bridge }: Deployment,
  env: ProcessPod['env'],
): Pick<ProcessPod, 'process' | 'env' | 'terminationGrace' | 'podLabels' | 'labels'> => ({
  process: bridge,
  env,
  terminationGrace: 10,
  labels: { 'bindings.knative.dev/include': 'true' },
  podLabels: networkLabels(),
})

const bridgeDeployment = (deployment: Deployment): Explained => {
  const { seed, extensions, logLevel, priorityClassName } = deployment
  const health = healthJsonOf(deployment)
  const own = [
    { name: 'TRELLIS_SEED', value: seed },
    { name: 'TRELLIS_SERVED', value: servedObjectsOf(deployment) },
    ...(health === undefined ? [] : [{ name: 'TRELLIS_HEALTH', value: health }]),
    { name: 'TRELLIS_LOG_LEVEL', value: logLevel },
    ...(extensions.length > 0 ? [{ name: 'TRELLIS_EXTENSIONS', value: extensions.join() }] : []),
    ...(isSeedProcess(deployment)
      ? []
      : [{ name: 'TRELLIS_UNDELIVERED_TO', value: undeliveredUrl(deployment) }]),
    ...processEnvironment.process,
  ]
  const differences = isSeedProcess(deployment) ? seedProcessPod(deployment, own) : bridgePod(deployment, own)
  const { env } = differences
  const object = processDeployment(deployment, {
    name,
    program: 'bridge',
    readinessPeriod: 5,
    priorityClassName,
    availability: 'controller',
    ...differences,
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
    ...(isSeedProcess(deployment)
      ? seedProcessComments(env)
      : [
          [
            [...pod, 'terminationGracePeriodSeconds'],
            'Requests in flight get a second. Then the other replica takes over.',
          ] as const,
        ]),
    ...above('TRELLIS_SEED', 'Set the name of this seed. The source of every event contains it.'),
    ...above(
      'TRELLIS_SERVED',
      'The kinds, types and classes with functions. The bridge ignores other objects.',
    ),
    ...above('TRELLIS_HEALTH', 'Conditions of functions, and the objects that they depend on.'),
    ...above(
      'TRELLIS_UNDELIVERED_TO',
      'The other replica, to which a standby passes what the Broker returns.',
    ),
    ...above('TRELLIS_EXTENSIONS', 'gardenlet reads the Lease of an extension as its heartbeat.'),
    ...memoryComments(env, [...pod, 'containers', 0]),
  ])
}

const explainedBinding = (deployment: Deployment): Explained =>
  explained(
    sinkBinding(deployment),
    'Gives the bridge the address of the Broker (K_SINK), its CA (K_CA_CERTS and mounted bundles), and a token if the cluster requires\none (/oidc/token).',
  )

const sinkBinding = ({ namespace, broker }: Deployment): KubernetesObject => ({
  apiVersion: 'sources.knative.dev/v1',
  kind: 'SinkBinding',
  metadata: { name, namespace },
  spec: {
    subject: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    sink: { ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: broker.name } },
  },
})

const role = ({ namespace, mode }: Deployment): Explained => {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
  const pathRules =
    mode === 'seed-process'
      ? []
      : Object.values(knativeResources).map(({ group, plural }) => ({
          apiGroups: [group],
          resources: [plural],
          verbs: ['list', 'watch'],
        }))
  const rules: Json<V1Role>['rules'] = [
    { ...leases, resourceNames: ['trellis-bridge'], verbs: ['get', 'list', 'watch', 'update'] },
    { ...leases, verbs: ['create'] },
    ...pathRules,
  ]
  return explained({ apiVersion: `${rbacGroup}/v1`, kind: 'Role', metadata: { name, namespace }, rules }, [
    [['rules', 0], 'Only its own Lease (TRELLIS_LEASE_NAME).'],
    [['rules', 1], 'RBAC cannot restrict a create by name.'],
    ...(pathRules.length === 0
      ? []
      : [
          [
            ['rules', 2],
            'A heartbeat stops while the way of events to a function with health checks is not ready.',
          ] as const,
        ]),
  ])
}

/**
 * Allows only the bridge to send to the Broker, by the identity of its SinkBinding. A policy applies to Brokers,
 * Channels, JobSinks and flows, not to Services (knative.dev/docs/eventing/features/authorization): network policies
 * close functions. Knative refuses the object while its feature `authentication-oidc` is off.
 */
const eventPolicies = ({ namespace, broker, eventPolicies: wanted }: Deployment): readonly Explained[] =>
  when(
    wanted,
    explained(
      {
        apiVersion: 'eventing.knative.dev/v1alpha1',
        kind: 'EventPolicy',
        metadata: { name: 'bridge-to-broker', namespace },
        spec: {
          to: [{ ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: broker.name } }],
          from: [
            {
              ref: { apiVersion: 'sources.knative.dev/v1', kind: 'SinkBinding', name: 'bridge', namespace },
            },
          ],
        },
      },
      'Only the bridge may send to the Broker. Without this policy every pod of the namespace may. Knative refuses this object unless its\nfeature authentication-oidc is on (config-features).',
    ),
  )
