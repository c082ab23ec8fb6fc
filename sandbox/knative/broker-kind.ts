import { parse } from 'yaml'
import * as z from 'zod'
import { parseIsoDuration } from '../../shared/clock/clock.ts'
import { type Broker, idOf, ManifestError, type Manifests } from './manifests.ts'
import { type BrokerName, type Profile, profiles } from './profile.ts'

/** Names the Knative implementation of a Broker. */
const brokerClass = 'eventing.knative.dev/broker.class'

/** The kind of a Broker, derived from its manifests. */
export interface BrokerKind {
  readonly name: BrokerName
  readonly profile: Profile
  readonly partitions: number
}

/** The default number of partitions of the Kafka Broker, if its ConfigMap is not among the manifests. */
const usualPartitions = 10

/**
 * Returns the broker that a Broker's annotation and ConfigMap request. Default: in-memory, as in a cluster with
 * unchanged defaults. Throws a `ManifestError` for a class or channel that the sandbox does not imitate.
 */
export const brokerKindOf = (broker: Broker, { configMaps }: Pick<Manifests, 'configMaps'>): BrokerKind => {
  const { metadata, spec } = broker
  const { name, namespace = metadata.namespace } = spec.config ?? {}
  const config = configMaps.find(({ metadata }) => idOf(metadata) === `${namespace}/${name}`)
  const known = (name: BrokerName, more: Partial<Profile> = {}): BrokerKind => ({
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
      throw new ManifestError(`Broker ${idOf(metadata)}: the sandbox does not simulate ${channel.kind}`)
    }
    case 'Kafka':
      return known('kafka')
    case 'RabbitMQBroker':
      return known('rabbitmq')
    default:
      throw new ManifestError(
        `Broker ${idOf(metadata)}: the sandbox does not simulate the broker class ${metadata.annotations[brokerClass]}`,
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

/** Both names are valid; the second one is older. */
const channelOf = (
  data: Readonly<Record<string, string>> = {},
): z.output<typeof channelSchema> | undefined => {
  const template = data['channel-template-spec'] ?? data.channelTemplateSpec
  return template === undefined ? undefined : channelSchema.parse(parse(template))
}

const windowOf = ({ spec }: z.output<typeof channelSchema>): Partial<Profile> => {
  const text = spec?.stream?.config?.duplicateWindow
  // Go durations. Hours, minutes and seconds have the same notation in ISO 8601.
  const window = text === undefined ? undefined : parseIsoDuration(`PT${text.toUpperCase()}`)
  return window === undefined ? {} : { duplicateWindowMs: window }
}
