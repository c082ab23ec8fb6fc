import type { DeployedBroker, Deployment } from '../deployment.ts'

export const profileNames = ['in-memory', 'kafka', 'rabbitmq', 'nats'] as const
export type ProfileName = (typeof profileNames)[number]

/** What a class of broker has of its own in a deployment. */
export type BrokerProfile = (deployment: Deployment) => Omit<DeployedBroker, 'name'>

/** Annotation of a Broker: which implementation of Knative's it is. */
export const channelBased = 'MTChannelBasedBroker'
