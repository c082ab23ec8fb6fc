import type { V1NetworkPolicy } from '@kubernetes/client-node'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import { when } from '../../shared/lists/when.ts'
import type { Deployment, PodsOfNamespace } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'
import { peer } from './peer.ts'
import { metricsPort } from './scraped-service.ts'

/** A label of every pod of a Knative Service. */
const servingLabel = 'serving.knative.dev/service'
/**
 * Ports of queue-proxy for requests: HTTP/1, HTTP/2, and with `system-internal-tls` HTTPS (knative/serving,
 * pkg/networking).
 */
const requestPorts = [8012, 8013, 8112]
/** The port of queue-proxy from which the autoscaler reads the number of requests. */
const autoscalingPort = 9090
/** The ports of a Broker's ingress: HTTP and HTTPS (knative/eventing, config/brokers). */
const ingressPorts = [8080, 8443]
const ingressLabels = { 'eventing.knative.dev/brokerRole': 'ingress' }

/** The ingress pods of Brokers of any class. RabbitMQ's class has an additional one. */
const ingressesOf = (namespace: string): readonly PodsOfNamespace[] => [
  { namespace: 'knative-eventing', labels: ingressLabels },
  { namespace: 'knative-eventing', labels: { app: 'kafka-broker-receiver' } },
  { namespace, labels: ingressLabels },
]

/**
 * The policies for a namespace that denies all traffic, besides those that Gardener derives from labels on pods and
 * annotations on Services. Knative's components run in other namespaces, and Gardener knows none of them
 * (docs/contract/network.md#knative).
 */
export const networkPolicies = ({
  namespace,
  networkPolicies: wanted,
  gateways,
  mode,
}: Deployment): readonly Explained[] =>
  // The labels of the seed process allow all its traffic: its functions have no port outside the pod.
  when(
    wanted && mode === 'knative',
    explained(
      functionsPolicy(namespace, gateways),
      'Functions accept the activator and the gateway of Knative Serving, which send requests, and the autoscaler, which counts them.',
    ),
    explained(
      bridgePolicy(namespace, ingressesOf(namespace)),
      'The bridge reaches the ingress of a Broker of any class. Its labels allow DNS and API server.',
    ),
    explained(
      reportsPolicy(namespace),
      'The bridge accepts functions, which report to it, and the Prometheus of the seed.',
    ),
    explained(
      undeliveredPolicy(namespace),
      'Dispatchers of Brokers return undelivered events to the bridge. A replica that does not lead passes them to the other.',
    ),
  )

const functionsPolicy = (
  namespace: string,
  gateways: readonly PodsOfNamespace[],
): Rendered<V1NetworkPolicy> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'functions-from-knative', namespace },
  spec: {
    podSelector: { matchExpressions: [{ key: servingLabel, operator: 'Exists' }] },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [peer({ namespace: 'knative-serving', labels: { app: 'activator' } }), ...gateways.map(peer)],
        ports: requestPorts.map(tcp),
      },
      {
        from: [peer({ namespace: 'knative-serving', labels: { app: 'autoscaler' } })],
        ports: [tcp(autoscalingPort)],
      },
    ],
  },
})

const bridgePolicy = (
  namespace: string,
  ingresses: readonly PodsOfNamespace[],
): Rendered<V1NetworkPolicy> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'bridge-to-broker', namespace },
  spec: {
    podSelector: { matchLabels: { app: 'bridge' } },
    policyTypes: ['Egress'],
    egress: [{ to: ingresses.map(peer), ports: ingressPorts.map(tcp) }],
  },
})

const undeliveredPolicy = (namespace: string): Rendered<V1NetworkPolicy> => {
  const bridge = { podSelector: { matchLabels: { app: 'bridge' } } }
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'undelivered-to-bridge', namespace },
    spec: {
      ...bridge,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            peer({ namespace: 'knative-eventing' }),
            // The dispatchers of RabbitMQ.
            {
              podSelector: { matchExpressions: [{ key: 'eventing.knative.dev/broker', operator: 'Exists' }] },
            },
            bridge,
          ],
          ports: [tcp(metricsPort)],
        },
      ],
      egress: [{ to: [bridge], ports: [tcp(metricsPort)] }],
    },
  }
}

const reportsPolicy = (namespace: string): Rendered<V1NetworkPolicy> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'bridge-from-functions', namespace },
  spec: {
    podSelector: { matchLabels: { app: 'bridge' } },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          { podSelector: { matchExpressions: [{ key: servingLabel, operator: 'Exists' }] } },
          peer({ namespace: 'garden' }),
        ],
        ports: [tcp(metricsPort)],
      },
    ],
  },
})

const tcp = (port: number) => ({ protocol: 'TCP', port })
