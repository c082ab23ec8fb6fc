import type { BrokerProfile } from './broker-profile.ts'

/** knative-extensions/eventing-kafka-broker 7d8fe89f. */
export const kafkaProfile: BrokerProfile = () => ({
  class: 'Kafka',
  annotations: {},
  // The installed ConfigMap. It contains the addresses of Kafka, the numbers of partitions and replicas, and the name
  // of a Secret with credentials.
  config: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'kafka-broker-config',
    namespace: 'knative-eventing',
  },
  delivery: {},
  // Ordered delivery would let a step of a minute, or retries, block every object of a partition. An object has at most
  // one event in flight anyway.
  triggerAnnotations: () => ({ 'kafka.eventing.knative.dev/delivery.order': 'unordered' }),
})
