import { type MachineClassContent, nodeTemplateOf } from '../../../../../shared/worker/worker.ts'
import type { ConfigInterface, WorkerConfig } from '../config/worker-config.ts'
import type { NodesInfrastructure } from '../infrastructure.ts'
import { type PoolPlace, within } from '../pool-problem.ts'
import type { MachinePool } from '../request.ts'
import { blockDevicesOf } from './block-devices.ts'

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
    labels: { 'failure-domain.beta.kubernetes.io/zone': zone, ...operatingSystemOf(pool) },
    provider: 'AWS',
    nodeTemplate: within(place, 'nodeTemplate', 'Correct the quantity', () =>
      nodeTemplateOf(pool, config?.nodeTemplate, { region, zone }),
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

/** The defaults of a WorkerConfig for the metadata service. */
export const defaultMetadata = { httpTokens: 'required', httpPutResponseHopLimit: 2 }

/**
 * Returns the WorkerConfig fields that enter a `providerSpec` almost unchanged. An unset field is omitted.
 *
 * @param ipv6Only true if nodes have only IPv6 addresses
 */
const instanceOptionsOf = (
  config: Partial<WorkerConfig>,
  { ipv6Only }: { readonly ipv6Only: boolean },
): object => ({
  instanceMetadataOptions: {
    ...(config.instanceMetadataOptions === undefined ? defaultMetadata : set(config.instanceMetadataOptions)),
    ...(ipv6Only && { httpProtocolIpv6: 'enabled' }),
  },
  ...(config.cpuOptions !== undefined && { cpuOptions: cpuOptionsOf(config.cpuOptions) }),
  ...(config.capacityReservation !== undefined && { capacityReservation: set(config.capacityReservation) }),
  ...(config.instanceMarketOptions !== undefined && { instanceMarketOptions: config.instanceMarketOptions }),
  ...(config.placement !== undefined && { placement: set(config.placement) }),
})

/** Both counts are given or neither. The Go extension then writes null. */
const cpuOptionsOf = ({
  coreCount,
  threadsPerCore,
  amdSevSnp,
}: NonNullable<WorkerConfig['cpuOptions']>): object => ({
  ...(coreCount === undefined || threadsPerCore === undefined
    ? { coreCount: null, threadsPerCore: null }
    : { coreCount, threadsPerCore }),
  ...(amdSevSnp !== undefined && { amdSevSnp }),
})

const set = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** More cards than any instance type has. Each card of a range becomes an interface of the class. */
export const mostCards = 128

/** The inputs of a machine's interfaces, besides the WorkerConfig. */
export interface InterfaceSurroundings {
  readonly subnetId: string
  readonly groupId: string
  /** True if nodes have IPv6 addresses, alone or in addition to IPv4. */
  readonly hasIpv6: boolean
}

/** Returns `networkInterfaces` of a class. The first interface has the IPv6 addresses. */
const networkInterfacesOf = (
  entries: readonly ConfigInterface[],
  { subnetId, groupId, hasIpv6 }: InterfaceSurroundings,
): readonly object[] => {
  const interfaces: readonly object[] =
    entries.length === 0
      ? [{ subnetID: subnetId, securityGroupIDs: [groupId] }]
      : entries.flatMap(entry =>
          cardsOf(entry).map(networkCardIndex => ({
            // Without it, the machine controller uses the position in the list.
            deviceIndex: entry.deviceIndex ?? 0,
            networkCardIndex,
            interfaceType: interfaceType(entry),
            associatePublicIPAddress: false,
            deleteOnTermination: true,
            ...(entry.description !== undefined && { description: entry.description }),
            subnetID: entry.subnetID ?? subnetId,
            securityGroupIDs: [groupId],
          })),
        )
  return interfaces.map((one, index) =>
    index === 0 && hasIpv6 ? { ...one, ipv6AddressCount: 1, ipv6PrefixCount: 1 } : one,
  )
}

/** The type of an interface. Default: `interface`. */
export const interfaceType = ({ type }: Pick<ConfigInterface, 'type'>): string => type || 'interface'

/** One interface for each card of a range, in ascending order. */
const cardsOf = ({
  networkCardIndex = 0,
  networkCardIndexRange: range,
}: ConfigInterface): readonly number[] =>
  range === undefined
    ? [networkCardIndex]
    : Array.from({ length: cardsIn(range) }, (_, index) => range.from + index)

/** Returns the number of cards in a range. Stops counting once it exceeds the limit. */
export const cardsIn = ({ from, to }: { readonly from: number; readonly to: number }): number =>
  Math.min(Math.max(0, to - from + 1), mostCards + 1)
