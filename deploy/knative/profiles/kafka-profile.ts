import type { BrokerProfile } from './broker-profile.ts'

/** knative-extensions/eventing-kafka-broker 7d8fe89f. */
export const kafkaProfile: BrokerProfile = () => ({
  class: 'Kafka',
  annotations: {},
  // As it is installed: it holds the addresses of Kafka, partitions and copies, and the name of a Secret with credentials.
  config: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'kafka-broker-config',
    namespace: 'knative-eventing',
  },
  delivery: {},
  // One event of a partition after the other would let a step of a minute, or retries, hold up every object of its
  // partition: one object has one event under way anyway.
  triggerAnnotations: () => ({ 'kafka.eventing.knative.dev/delivery.order': 'unordered' }),
})
