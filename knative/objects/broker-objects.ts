import type { BrokerDelivery, Deployment } from '../deployment.ts'
import { undeliveredUrl } from './bridge-service.ts'
import { type Explained, explained } from './explained.ts'

/** The default delivery of every class of Broker. */
const usualDelivery: BrokerDelivery = {
  retry: 5,
  backoffPolicy: 'exponential',
  backoffDelay: 'PT1S',
  timeout: 'PT75S',
}

/** The Broker for the events of the bridge, with its objects. */
export const brokerObjects = ({ namespace, broker }: Deployment): readonly Explained[] => [
  // The Broker becomes ready only after these exist.
  ...(broker.configObjects ?? []),
  ...(broker.policies ?? []),
  explained(
    {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Broker',
      metadata: {
        name: broker.name,
        namespace,
        annotations: {
          'messaging.knative.dev/async-handler': 'true',
          ...(broker.class !== undefined && { 'eventing.knative.dev/broker.class': broker.class }),
          ...broker.annotations,
        },
      },
      spec: {
        ...(broker.config && { config: broker.config }),
        delivery: {
          ...usualDelivery,
          deadLetterSink: { uri: undeliveredUrl({ namespace }) },
          ...broker.delivery,
        },
      },
    },
    [
      broker.class === undefined
        ? 'The Broker for the events of the bridge. Its class is the default of the cluster.'
        : 'The Broker for the events of the bridge.',
      [
        ['metadata', 'annotations', 'messaging.knative.dev/async-handler'],
        'Without it, the in-memory channel answers the bridge only after the function. Other classes ignore it.',
      ],
      [
        ['spec', 'delivery', 'retry'],
        [
          '31 s of retries on the in-memory broker, 62 s on others, whose first wait is twice the delay. Both end before',
          'the bridge repeats an unclaimed event (90 s).',
        ].join('\n'),
      ],
      [
        ['spec', 'delivery', 'timeout'],
        'Above the hard stop of a step (60 s): a slow step is not delivered twice.',
      ],
      [
        ['spec', 'delivery', 'deadLetterSink'],
        'The bridge: it sends an undelivered event again if its object still needs it.',
      ],
    ],
  ),
]
