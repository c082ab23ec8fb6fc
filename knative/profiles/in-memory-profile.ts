import { type BrokerProfile, channelBased } from './broker-profile.ts'
import { channelConfig } from './channel-config.ts'

/** Knative's own channel: stores events in the memory of one process. */
export const inMemoryProfile: BrokerProfile = ({ namespace }) => ({
  class: channelBased,
  annotations: {},
  delivery: {},
  ...channelConfig(namespace, { apiVersion: 'messaging.knative.dev/v1', kind: 'InMemoryChannel' }, [
    "The channel of the Broker, instead of the cluster's default.",
  ]),
})
