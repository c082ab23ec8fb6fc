import { having, oneOf, standIn, text } from './stand-in.ts'

/**
 * The config that a Broker of the class RabbitMQBroker refers to, after knative-extensions/eventing-rabbitmq bd1ee997,
 * config/broker.
 */
export const rabbitmqBrokerConfigs = standIn({
  group: 'eventing.knative.dev',
  version: 'v1alpha1',
  kind: 'RabbitmqBrokerConfig',
  scope: 'Namespaced',
  spec: having({
    vhost: text,
    queueType: oneOf('quorum', 'classic'),
    rabbitmqClusterReference: having({
      name: text,
      namespace: text,
      connectionSecret: having({ name: text }),
    }),
  }),
})
