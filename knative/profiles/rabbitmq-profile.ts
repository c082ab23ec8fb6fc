import { explained } from '../objects/explained.ts'
import type { BrokerProfile } from './broker-profile.ts'

/** Messages that the dispatcher of a Trigger takes ahead of their acknowledgement; more workers have nothing to do. */
const prefetch = 100

/** knative-extensions/eventing-rabbitmq bd1ee997. */
export const rabbitmqProfile: BrokerProfile = namespace => ({
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
        spec: { rabbitmqClusterReference: { name: 'rabbitmq', namespace: 'rabbitmq' }, queueType: 'quorum' },
      },
      [
        [
          ['spec', 'rabbitmqClusterReference'],
          'To be set: the RabbitmqCluster of the seed, or connectionSecret in its place.',
        ],
        [['spec', 'queueType'], 'Copied to most of the nodes, so that one of them may be lost.'],
      ],
    ),
  ],
  delivery: {},
  // The default is 1, and a worker is taken while its event waits for a retry: one step after the other, for all objects.
  triggerAnnotations: ({ concurrency, maxScale }) => ({
    'rabbitmq.eventing.knative.dev/parallelism': String(
      Math.max(1, Math.min(concurrency.value * maxScale.value, prefetch)),
    ),
  }),
})
