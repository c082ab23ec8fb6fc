import type { profileNames } from '../choices.ts'
import type { DeployedBroker, Deployment } from '../deployment.ts'

export { profileNames } from '../choices.ts'
export type ProfileName = (typeof profileNames)[number]

export type BrokerProfile = (deployment: Deployment) => Omit<DeployedBroker, 'name'>

/** Value of a Broker's class annotation: Knative's own channel-based implementation. */
export const channelBased = 'MTChannelBasedBroker'
