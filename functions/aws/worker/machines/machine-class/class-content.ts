import type { MachineClassContent } from '../../../../../shared/worker/worker.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import type { NodesInfrastructure } from '../infrastructure.ts'
import { type PoolPlace, within } from '../pool-problem.ts'
import type { MachinePool } from '../request.ts'
import { blockDevicesOf } from './block-devices.ts'
import { instanceOptionsOf } from './instance-options.ts'
import { networkInterfacesOf } from './network-interfaces.ts'
import { nodeTemplateOf } from './node-template.ts'

/** The parts of a pool's machines that are the same in all its zones. */
export interface PoolParts {
  readonly pool: MachinePool
  /** Undefined if the pool has none. */
  readonly config: WorkerConfig | undefined
  readonly volume: NonNullable<MachinePool['volume']>
  readonly infrastructure: NodesInfrastructure
  readonly region: string
  readonly ami: string
  /** The shoot's technical id, which is also the cluster name in tags. */
  readonly technicalId: string
  readonly ipFamilies: readonly string[]
}

/**
 * Returns the MachineClass of one zone (docs/contract/workers-aws.md#machineclass). Throws a `CodedError` that names
 * the pool.
 */
export const classContentOf = (
  parts: PoolParts,
  place: PoolPlace,
  zone: string,
  subnetId: string,
): MachineClassContent => {
  const { pool, config, region } = parts
  return {
    labels: {
      'failure-domain.beta.kubernetes.io/zone': zone,
      ...operatingSystemOf(pool),
    },
    provider: 'AWS',
    nodeTemplate: within(place, 'nodeTemplate', 'Correct the quantity', () =>
      nodeTemplateOf(pool, config, { region, zone, architecture: pool.architecture || 'amd64' }),
    ),
    providerSpec: providerSpecOf(parts, place, subnetId),
  }
}

const operatingSystemOf = ({ machineImage }: MachinePool): Readonly<Record<string, string>> =>
  machineImage?.name && machineImage.version
    ? {
        operatingSystemName: machineImage.name,
        operatingSystemVersion: machineImage.version.replaceAll('+', '_'),
      }
    : {}

const providerSpecOf = (
  { pool, config, volume, infrastructure, region, ami, technicalId, ipFamilies }: PoolParts,
  place: PoolPlace,
  subnetId: string,
): Readonly<Record<string, unknown>> => ({
  ami,
  region,
  machineType: pool.machineType,
  srcAndDstChecksEnabled: false,
  iam: within(place, 'providerConfig.iamInstanceProfile', 'Set its name or its ARN', () =>
    instanceProfileOf(config, infrastructure),
  ),
  ...(infrastructure.keyName !== '' && { keyName: infrastructure.keyName }),
  tags: {
    [`kubernetes.io/cluster/${technicalId}`]: '1',
    'kubernetes.io/role/node': '1',
    ...pool.labels,
  },
  networkInterfaces: networkInterfacesOf(config?.networkInterfaces ?? [], {
    subnetId,
    groupId: infrastructure.securityGroupId,
    hasIpv6: ipFamilies.includes('IPv6'),
  }),
  blockDevices: blockDevicesOf(place, volume, config),
  ...instanceOptionsOf(config ?? {}, { ipv6Only: ipFamilies.length === 1 && ipFamilies[0] === 'IPv6' }),
})

/** A name overrides an ARN, and both override the profile of the infrastructure. */
const instanceProfileOf = (
  config: WorkerConfig | undefined,
  { instanceProfile }: NodesInfrastructure,
): object => {
  const own = config?.iamInstanceProfile
  if (own === undefined) return { name: instanceProfile }
  if (own.name !== undefined) return { name: own.name }
  if (own.arn !== undefined) return { arn: own.arn }
  throw new Error('unable to compute IAM instance profile configuration')
}
