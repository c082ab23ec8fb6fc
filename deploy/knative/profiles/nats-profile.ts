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
        'The channel of the Broker. The ack wait follows from its delivery: half a second above the timeout.',
      ],
      [
        ['data', 'channel-template-spec'],
        [
          'maxAge: above what all retries take, for a stream without a limit keeps every event for ever.',
          'duplicateWindow: far below the 90 s after which the bridge sends an event again, with the same id: of two minutes, as',
          'they are usual, the stream would swallow it. replicas: 3 where NATS is a cluster.',
        ].join('\n'),
      ],
    ],
  ),
})
