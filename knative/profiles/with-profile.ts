import type { Deployment } from '../deployment.ts'
import type { BrokerProfile, ProfileName } from './broker-profile.ts'
import { inMemoryProfile } from './in-memory-profile.ts'
import { kafkaProfile } from './kafka-profile.ts'
import { natsProfile } from './nats-profile.ts'
import { rabbitmqProfile } from './rabbitmq-profile.ts'

const profiles: Readonly<Record<ProfileName, BrokerProfile>> = {
  'in-memory': inMemoryProfile,
  kafka: kafkaProfile,
  rabbitmq: rabbitmqProfile,
  nats: natsProfile,
}

/**
 * Returns the deployment with a class of Broker and its settings. The deployment's own Broker settings override them.
 */
export const withProfile = (deployment: Deployment, name: ProfileName): Deployment => {
  const { broker } = deployment
  const profile = profiles[name](deployment)
  return {
    ...deployment,
    broker: {
      ...profile,
      // The referenced object is then not ours.
      ...(broker.config && { configObjects: [] }),
      ...broker,
      annotations: { ...profile.annotations, ...broker.annotations },
      delivery: { ...profile.delivery, ...broker.delivery },
    },
  }
}
