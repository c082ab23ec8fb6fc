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
      [
        [],
        'The channel of the Broker. Its ack wait is derived from the delivery: half a second above the timeout.',
      ],
      [
        ['data', 'channel-template-spec'],
        [
          'maxAge: above the duration of all retries, because a stream without a limit retains every event forever.',
          'duplicateWindow: far below the 90 s after which the bridge sends an event again with the same id. With the usual two',
          'minutes, the stream would drop that event. replicas: 3 if NATS is a cluster.',
        ].join('\n'),
      ],
    ],
  ),
})
