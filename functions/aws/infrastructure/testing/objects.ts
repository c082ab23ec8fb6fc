import type { Cluster, Infrastructure } from '../../../../shared/contract/objects.ts'
import {
  apiVersion,
  decodeConfig,
  type InfrastructureConfig,
} from '../../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'

export const namespace = 'shoot--foo--bar'

const letters = ['a', 'b', 'c'] as const

/** Zones of a config with managed subnets: `eu-west-1a`, … */
export const zones = (count: number): readonly Readonly<Record<string, string>>[] =>
  letters.slice(0, count).map((letter, index) => ({
    name: `eu-west-1${letter}`,
    workers: `10.250.${index * 32}.0/19`,
    public: `10.250.${96 + index * 8}.0/22`,
    internal: `10.250.${100 + index * 8}.0/22`,
  }))

export interface ConfigParts {
  readonly vpc?: object
  readonly zones?: readonly object[]
  readonly networks?: object
  readonly rest?: object
}

/** `spec.providerConfig` with a managed VPC and one zone, and the changes of a test. */
const providerConfig = (parts: ConfigParts = {}): Record<string, unknown> => ({
  apiVersion,
  kind: 'InfrastructureConfig',
  networks: {
    vpc: parts.vpc ?? { cidr: '10.250.0.0/16' },
    zones: parts.zones ?? zones(1),
    ...parts.networks,
  },
  ...parts.rest,
})

export const configOf = (parts: ConfigParts = {}): InfrastructureConfig => {
  const decoded = decodeConfig(providerConfig(parts), { lenient: true })
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems))
  return decoded.config
}

/** A key as `ssh-keygen` creates it. */
export const sshPublicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJTWEEGTZBxg4zPWyAO0zKfNO0BkQ7yTFNo6WyQpXLtd gardener@test'

export interface ObjectParts extends ConfigParts {
  readonly spec?: Partial<Infrastructure['spec']>
  readonly status?: Infrastructure['status']
  readonly metadata?: Partial<Infrastructure['metadata']>
}

/** An Infrastructure as gardenlet writes it. */
export const infrastructureOf = ({
  spec,
  status,
  metadata,
  ...config
}: ObjectParts = {}): Infrastructure => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Infrastructure',
  metadata: { name: 'bar', namespace, uid: 'infrastructure-uid', ...metadata },
  spec: {
    type: 'aws',
    region: 'eu-west-1',
    secretRef: { name: 'cloudprovider', namespace },
    sshPublicKey: Buffer.from(sshPublicKey).toString('base64'),
    providerConfig: providerConfig(config),
    ...spec,
  },
  ...(status && { status }),
})

/** The uid of an Infrastructure's shoot. Each Infrastructure has its own shoot. */
export const shootUidOf = ({ metadata }: Infrastructure): string =>
  metadata.uid === 'infrastructure-uid' ? 'shoot-uid' : `shoot-of-${metadata.uid}`

/** The Cluster of a shoot with the default networks of Gardener. */
export const clusterOf = ({
  networking,
  workers,
  cloudProfile = {},
  uid = 'shoot-uid',
}: {
  readonly uid?: string
  readonly networking?: object
  readonly workers?: readonly Record<string, unknown>[]
  readonly cloudProfile?: Record<string, unknown>
} = {}): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: {
    cloudProfile,
    shoot: {
      metadata: { name: 'bar', uid },
      spec: {
        networking: {
          nodes: '10.250.0.0/16',
          pods: '100.96.0.0/11',
          services: '100.64.0.0/13',
          ipFamilies: ['IPv4'],
          ...networking,
        },
        provider: { type: 'aws', workers: workers ? [...workers] : [] },
      },
    },
  },
})
