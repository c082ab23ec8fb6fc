import { wholeQuantity } from '../../../../../shared/contract/quantity.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import { cardsIn, defaultMetadata, interfaceType } from '../machine-class/class-content.ts'
import type { MachinePool } from '../request.ts'
import { countAt, type Field, field, fieldAt, textAt } from './field.ts'
import { deviceText } from './volume-fields.ts'

/** The WorkerConfig fields that enter the hash of pools from Kubernetes 1.34 on, in this order. */
export const configFields = (config: WorkerConfig, pool: MachinePool): readonly Field[] => [
  ...capacityFields(config),
  ...(['iops', 'throughput'] as const).map(key =>
    fieldAt(`root volume: ${key}`, config.volume?.[key], ['blockDevices', 0, 'ebs', key], {
      at: ['volume', key],
    }),
  ),
  ...config.dataVolumes.flatMap((entry, index) => dataVolumeSettings(entry, index, pool)),
  ...instanceProfileFields(config),
  ...metadataFields(config),
  ...inGroup('cpuOptions', config.cpuOptions, ['coreCount', 'threadsPerCore']),
  ...inGroup('capacityReservation', config.capacityReservation, [
    'capacityReservationPreference',
    'capacityReservationId',
    'capacityReservationResourceGroupArn',
  ]),
  ...inGroup('instanceMarketOptions', config.instanceMarketOptions, ['marketType']),
  ...interfaceFields(config),
  ...inGroup('placement', config.placement, ['groupId', 'tenancy', 'hostId', 'partitionNumber', 'affinity']),
]

/** If the WorkerConfig has no profile, a class has that of the infrastructure, which is not hashed. */
const instanceProfileFields = ({ iamInstanceProfile: own }: WorkerConfig): readonly Field[] =>
  (['name', 'arn'] as const).map(key =>
    field(
      `instance profile: ${key}`,
      own?.[key],
      ({ providerSpec }) => (own === undefined ? undefined : textAt(providerSpec, ['iam', key])),
      { at: ['iamInstanceProfile', key] },
    ),
  )

const metadataFields = ({ instanceMetadataOptions: own }: WorkerConfig): readonly Field[] =>
  (['httpTokens', 'httpPutResponseHopLimit'] as const).map(key =>
    fieldAt(`instanceMetadataOptions: ${key}`, own?.[key], ['instanceMetadataOptions', key], {
      at: ['instanceMetadataOptions', key],
      ...(own === undefined && { unset: String(defaultMetadata[key]) }),
    }),
  )

/** Fields that have the same name in the class and in the WorkerConfig. */
const inGroup = <G extends object>(
  group: string,
  values: G | undefined,
  names: readonly (keyof G & string)[],
): readonly Field[] =>
  names.map(name => {
    const value: unknown = values?.[name]
    const datum = typeof value === 'string' || typeof value === 'number' ? value : undefined
    return fieldAt(`${group}: ${name}`, datum, [group, name], { at: [group, name] })
  })

const capacityFields = ({ nodeTemplate }: WorkerConfig): readonly Field[] =>
  Object.entries(nodeTemplate?.capacity ?? {})
    .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map(([key, quantity]) =>
      field(`node template: capacity of ${key}`, `${key}=${wholeQuantity(quantity)}`, content => {
        const observed = content.nodeTemplate?.capacity[key]
        return observed === undefined ? undefined : `${key}=${wholeQuantity(observed)}`
      }),
    )

const dataVolumeSettings = (
  { name, iops, throughput, snapshotID }: WorkerConfig['dataVolumes'][number],
  position: number,
  { dataVolumes = [] }: MachinePool,
): readonly Field[] => {
  const setting = (key: string, value: string | number | undefined): Field =>
    field(`data volume ${name}: ${key}`, value, content => deviceText(dataVolumes, name, content, key), {
      at: ['dataVolumes', position, key],
    })
  return [
    // A class does not contain the names of its volumes.
    field(`settings of data volume ${name}`, name, () => undefined),
    setting('iops', iops),
    setting('throughput', throughput),
    setting('snapshotID', snapshotID),
  ]
}

/**
 * Returns the fields of each entry of the WorkerConfig. An entry becomes one interface of the class. An entry with a
 * range becomes several.
 */
const interfaceFields = ({ networkInterfaces }: WorkerConfig): readonly Field[] => {
  const sizes = networkInterfaces.map(({ networkCardIndexRange: range }) =>
    range === undefined ? 1 : cardsIn(range),
  )
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return networkInterfaces.flatMap((entry, position) => {
    const first = sizes.slice(0, position).reduce((sum, size) => sum + size, 0)
    const ofInterface = (
      name: string,
      datum: string | number | undefined,
      key: string,
      at: number = first,
    ): Field =>
      field(`network interface ${position}: ${name}`, datum, ({ providerSpec }) =>
        // The entries of a class can be matched only if their number is the same. An unset value is that of the zone,
        // or the first card.
        datum !== undefined && countAt(providerSpec, ['networkInterfaces']) === all
          ? textAt(providerSpec, ['networkInterfaces', at, key])
          : undefined,
      )
    const range = entry.networkCardIndexRange
    return [
      ofInterface('type', interfaceType(entry), 'interfaceType'),
      ofInterface('deviceIndex', entry.deviceIndex ?? 0, 'deviceIndex'),
      ofInterface('networkCardIndex', entry.networkCardIndex, 'networkCardIndex'),
      ofInterface('networkCardIndexRange.from', range?.from, 'networkCardIndex'),
      ofInterface(
        'networkCardIndexRange.to',
        range?.to,
        'networkCardIndex',
        first + (sizes[position] ?? 1) - 1,
      ),
      ofInterface('subnetID', entry.subnetID, 'subnetID'),
    ]
  })
}
