import type { DeployedBroker } from '../deployment.ts'

export const profileNames = ['in-memory', 'kafka', 'rabbitmq', 'nats'] as const
export type ProfileName = (typeof profileNames)[number]

/** What a class of broker has of its own, in a namespace. */
export type BrokerProfile = (namespace: string) => Omit<DeployedBroker, 'name'>

/** Annotation of a Broker: which implementation of Knative's it is. */
export const channelBased = 'MTChannelBasedBroker'
