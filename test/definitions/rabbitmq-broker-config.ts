import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

const text = { type: 'string' }

/** What a Broker of the class RabbitMQBroker refers to, after knative-extensions/eventing-rabbitmq bd1ee997, config/broker. */
export const rabbitmqBrokerConfigs: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'rabbitmqbrokerconfigs.eventing.knative.dev' },
  spec: {
    group: 'eventing.knative.dev',
    names: {
      kind: 'RabbitmqBrokerConfig',
      listKind: 'RabbitmqBrokerConfigList',
      plural: 'rabbitmqbrokerconfigs',
      singular: 'rabbitmqbrokerconfig',
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  vhost: text,
                  queueType: { type: 'string', enum: ['quorum', 'classic'] },
                  rabbitmqClusterReference: {
                    type: 'object',
                    properties: {
                      name: text,
                      namespace: text,
                      connectionSecret: { type: 'object', properties: { name: text } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}
