import { stringify } from 'yaml'
import type { DeployedBroker } from '../deployment.ts'
import { type Comment, explained } from '../objects/explained.ts'

const name = 'broker-channel'

/** The ConfigMap with the channel of a channel-based Broker, and the Broker's reference to it. */
export const channelConfig = (
  namespace: string,
  channel: { readonly apiVersion: string; readonly kind: string; readonly spec?: object },
  comments: readonly Comment[],
): Required<Pick<DeployedBroker, 'config' | 'configObjects'>> => ({
  // Without the namespace the Broker does not become ready.
  config: { apiVersion: 'v1', kind: 'ConfigMap', name, namespace },
  configObjects: [
    explained(
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace },
        data: { 'channel-template-spec': stringify(channel) },
      },
      comments,
    ),
  ],
})
