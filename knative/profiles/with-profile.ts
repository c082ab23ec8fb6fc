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

/** A deployment whose Broker is of a class, with what that class needs. */
export const withProfile = (deployment: Deployment, name: ProfileName): Deployment => ({
  ...deployment,
  broker: { ...profiles[name](deployment.namespace), name: deployment.broker.name },
})
