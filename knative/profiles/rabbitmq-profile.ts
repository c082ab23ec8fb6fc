import type { V1NetworkPolicy } from '@kubernetes/client-node'
import type { Rendered } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionService } from '../../shared/runtime/runtime.ts'
import type { PodsOfNamespace, RabbitmqCluster } from '../deployment.ts'
import { type Explained, explained } from '../objects/explained.ts'
import { peer } from '../objects/peer.ts'
import { metricsPort } from '../objects/scraped-service.ts'
import type { BrokerProfile } from './broker-profile.ts'
import { rabbitmqParallelism } from './rabbitmq-limits.ts'

export const usualRabbitmq: RabbitmqCluster = { name: 'rabbitmq', namespace: 'rabbitmq' }

/** knative-extensions/eventing-rabbitmq bd1ee997. */
export const rabbitmqProfile: BrokerProfile = ({
  namespace,
  broker: { name, rabbitmq = usualRabbitmq },
  networkPolicies,
  gateways,
}) => ({
  class: 'RabbitMQBroker',
  annotations: {},
  config: {
    apiVersion: 'eventing.knative.dev/v1alpha1',
    kind: 'RabbitmqBrokerConfig',
    name: 'broker',
    namespace,
  },
  configObjects: [
    explained(
      {
        apiVersion: 'eventing.knative.dev/v1alpha1',
        kind: 'RabbitmqBrokerConfig',
        metadata: { name: 'broker', namespace },
        spec: { rabbitmqClusterReference: rabbitmq, queueType: 'quorum' },
      },
      [
        [
          ['spec', 'rabbitmqClusterReference'],
          'Set the RabbitmqCluster of the seed, or replace it by connectionSecret.',
        ],
        [['spec', 'queueType'], 'Replicated: the loss of one node loses no event.'],
      ],
    ),
  ],
  policies: networkPolicies ? [podsPolicy(namespace, name, rabbitmq, gateways)] : [],
  delivery: {},
  // The default is 1, and a worker is occupied while its event waits for a retry: steps of all objects would run one by
  // one.
  triggerAnnotations: service => ({ [rabbitmqParallelism.annotation]: String(rabbitmqWorkers(service)) }),
})

/** Returns the workers of a function's Trigger. A concurrency of 0 has no limit, as in Knative. */
export const rabbitmqWorkers = ({
  concurrency,
  maxScale,
}: Pick<FunctionService, 'concurrency' | 'maxScale'>): number =>
  concurrency.value === 0
    ? rabbitmqParallelism.most
    : Math.max(1, Math.min(concurrency.value * maxScale.value, rabbitmqParallelism.most))

/** Other classes run their pods in a namespace of Knative. */
const podsPolicy = (
  namespace: string,
  broker: string,
  rabbitmq: RabbitmqCluster,
  gateways: readonly PodsOfNamespace[],
): Explained<Rendered<V1NetworkPolicy>> => {
  const to = (pods: readonly PodsOfNamespace[], ...ports: readonly number[]) => ({
    to: pods.map(peer),
    ...(ports.length > 0 && {
      ports: ports.flatMap(port =>
        (port === 53 || port === 8053 ? ['TCP', 'UDP'] : ['TCP']).map(protocol => ({ protocol, port })),
      ),
    }),
  })
  return explained(
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'rabbitmq-broker', namespace },
      spec: {
        podSelector: { matchLabels: { 'eventing.knative.dev/broker': broker } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [{ podSelector: { matchLabels: { app: 'bridge' } } }],
            ports: [{ protocol: 'TCP', port: 8080 }],
          },
        ],
        egress: [
          to([{ namespace: 'kube-system' }], 53, 8053),
          to([{ namespace: rabbitmq.namespace }], 5671, 5672),
          to([{ namespace: 'knative-serving' }, ...gateways]),
          {
            to: [{ podSelector: { matchLabels: { app: 'bridge' } } }],
            ports: [{ protocol: 'TCP', port: metricsPort }],
          },
        ],
      },
    },
    [
      "Ingress and dispatchers of this class run beside the functions, without Gardener's labels.",
      [
        ['spec', 'egress', 0],
        'DNS, RabbitMQ, the pods that route requests to functions, and the bridge for undelivered events.',
      ],
    ],
  )
}
