import { parse } from 'yaml'
import * as z from 'zod'
import { parseDuration } from './duration.ts'
import { type Broker, idOf, ManifestError, type Manifests } from './manifests.ts'
import { type Profile, type ProfileName, profiles } from './profile.ts'

/** Says which implementation of Knative's a Broker is. */
export const brokerClass = 'eventing.knative.dev/broker.class'

/** A Broker as its manifests make it. */
export interface BrokerKind {
  readonly name: ProfileName
  readonly profile: Profile
  /** Of its topic. */
  readonly partitions: number
}

/** Of a topic whose Broker's ConfigMap is not among the manifests: the number that the Kafka Broker is installed with. */
const usualPartitions = 10

/**
 * Which broker a Broker's annotation and the ConfigMap that it refers to ask for; the in-memory one where there is
 * neither, as in a cluster whose defaults nobody has changed. Throws a `ManifestError` for a class or channel that the sandbox does not imitate.
 */
export const brokerKindOf = (broker: Broker, { configMaps }: Pick<Manifests, 'configMaps'>): BrokerKind => {
  const { metadata, spec } = broker
  const { name, namespace = metadata.namespace } = spec.config ?? {}
  const config = configMaps.find(({ metadata }) => idOf(metadata) === `${namespace}/${name}`)
  const known = (name: ProfileName, more: Partial<Profile> = {}): BrokerKind => ({
    name,
    profile: { ...profiles[name], ...more },
    partitions: Number(config?.data['default.topic.partitions'] ?? usualPartitions),
  })
  switch (metadata.annotations[brokerClass]) {
    case undefined:
    case 'MTChannelBasedBroker': {
      const channel = channelOf(config?.data)
      if (channel === undefined || channel.kind === 'InMemoryChannel') return known('in-memory')
      if (channel.kind === 'NatsJetStreamChannel') return known('nats', windowOf(channel))
      throw new ManifestError(`Broker ${idOf(metadata)}: the sandbox imitates no ${channel.kind}`)
    }
    case 'Kafka':
      return known('kafka')
    case 'RabbitMQBroker':
      return known('rabbitmq')
    default:
      throw new ManifestError(
        `Broker ${idOf(metadata)}: the sandbox imitates no broker of the class ${metadata.annotations[brokerClass]}`,
      )
  }
}

const channelSchema = z.looseObject({
  kind: z.string(),
  spec: z
    .looseObject({
      stream: z
        .looseObject({ config: z.looseObject({ duplicateWindow: z.string().optional() }).optional() })
        .optional(),
    })
    .optional(),
})

/** Both names count; the second one is the older. */
const channelOf = (
  data: Readonly<Record<string, string>> = {},
): z.output<typeof channelSchema> | undefined => {
  const template = data['channel-template-spec'] ?? data.channelTemplateSpec
  return template === undefined ? undefined : channelSchema.parse(parse(template))
}

const windowOf = ({ spec }: z.output<typeof channelSchema>): Partial<Profile> => {
  const text = spec?.stream?.config?.duplicateWindow
  // Durations of Go: of those that people write here, hours, minutes and seconds are written alike.
  const window = text === undefined ? undefined : parseDuration(`PT${text.toUpperCase()}`)
  return window === undefined ? {} : { duplicateWindowMs: window }
}
