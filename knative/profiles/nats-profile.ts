import { type BrokerProfile, channelBased } from './broker-profile.ts'
import { channelConfig } from './channel-config.ts'

/**
 * NATS JetStream as the channel of Knative's own broker (knative-extensions/eventing-natss 03a34594). The class
 * NatsJetStreamBroker of the same project delivers the events of a Trigger one by one, while others of the same fetch
 * exceed their ack wait.
 */
export const natsProfile: BrokerProfile = ({ namespace }) => ({
  class: channelBased,
  annotations: {},
  delivery: {},
  ...channelConfig(
    namespace,
    {
      apiVersion: 'messaging.knative.dev/v1alpha1',
      kind: 'NatsJetStreamChannel',
      spec: { stream: { config: { maxAge: '15m', duplicateWindow: '1s' } } },
    },
    [
      'The channel of the Broker. Its ack wait is half a second above the delivery timeout.',
      [
        ['data', 'channel-template-spec'],
        [
          'maxAge: above the time of all retries. Without it the stream stores every event for ever.',
          'duplicateWindow: far below the 90 s after which the bridge repeats an event with the same id. With the default of two',
          'minutes the stream would drop it. Add replicas: 3 if NATS is a cluster.',
        ].join('\n'),
      ],
    ],
  ),
})
