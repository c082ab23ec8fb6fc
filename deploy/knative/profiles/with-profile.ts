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

/** A deployment whose Broker is of a class, with what that class needs. What the deployment says of its Broker itself is kept. */
export const withProfile = (deployment: Deployment, name: ProfileName): Deployment => {
  const { broker } = deployment
  const profile = profiles[name](deployment)
  return {
    ...deployment,
    broker: {
      ...profile,
      // What is referred to then is not ours.
      ...(broker.config && { configObjects: [] }),
      ...broker,
      annotations: { ...profile.annotations, ...broker.annotations },
      delivery: { ...profile.delivery, ...broker.delivery },
    },
  }
}
