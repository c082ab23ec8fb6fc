import { when } from '../../shared/lists/when.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

/**
 * Allows only the bridge to send to the Broker, by the identity of its SinkBinding. A policy applies to Brokers,
 * Channels, JobSinks and flows, not to Services (knative.dev/docs/eventing/features/authorization): network policies
 * close functions. Knative refuses the object while its feature `authentication-oidc` is off.
 */
export const eventPolicies = ({
  namespace,
  broker,
  eventPolicies: wanted,
}: Deployment): readonly Explained[] =>
  when(
    wanted,
    explained(
      {
        apiVersion: 'eventing.knative.dev/v1alpha1',
        kind: 'EventPolicy',
        metadata: { name: 'bridge-to-broker', namespace },
        spec: {
          to: [{ ref: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', name: broker.name } }],
          from: [
            {
              ref: { apiVersion: 'sources.knative.dev/v1', kind: 'SinkBinding', name: 'bridge', namespace },
            },
          ],
        },
      },
      'Only the bridge may send to the Broker. Without this policy every pod of the namespace may. Knative refuses this object unless its\nfeature authentication-oidc is on (config-features).',
    ),
  )
