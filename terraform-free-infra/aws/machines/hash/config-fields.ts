import { wholeQuantity } from '../../../../shared/contract/quantity.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import { cardsIn, interfaceType } from '../machine-class/network-interfaces.ts'
import type { WorkerPool } from '../request.ts'
import { countAt, type Field, fieldAt, textAt } from './field.ts'
import { deviceIndexOf, deviceText } from './volume-fields.ts'

/** What of a WorkerConfig pools from Kubernetes 1.34 on are hashed by, in this order. */
export const configFields = (config: WorkerConfig, pool: WorkerPool): readonly Field[] => [
  ...capacityFields(config),
  fieldAt('root volume: iops', config.volume?.iops, 'blockDevices', 0, 'ebs', 'iops'),
  fieldAt('root volume: throughput', config.volume?.throughput, 'blockDevices', 0, 'ebs', 'throughput'),
  ...config.dataVolumes.flatMap(entry => dataVolumeSettings(entry, pool)),
  fieldAt('instance profile: name', config.iamInstanceProfile?.name, 'iam', 'name'),
  fieldAt('instance profile: arn', config.iamInstanceProfile?.arn, 'iam', 'arn'),
  ...inGroup('instanceMetadataOptions', config.instanceMetadataOptions, [
    'httpTokens',
    'httpPutResponseHopLimit',
  ]),
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

/** Fields that are called in the class as in the WorkerConfig. */
const inGroup = <G extends object>(
  group: string,
  values: G | undefined,
  names: readonly (keyof G & string)[],
): readonly Field[] =>
  names.map(name => {
    const value: unknown = values?.[name]
    return fieldAt(
      `${group}: ${name}`,
      typeof value === 'string' || typeof value === 'number' ? value : undefined,
      group,
      name,
    )
  })

const capacityFields = ({ nodeTemplate }: WorkerConfig): readonly Field[] =>
  Object.entries(nodeTemplate?.capacity ?? {})
    .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map(([key, quantity]) => ({
      name: `node template: capacity of ${key}`,
      datum: `${key}=${wholeQuantity(quantity)}`,
      observed: content => {
        const observed = content.nodeTemplate?.capacity[key]
        return observed === undefined ? undefined : `${key}=${wholeQuantity(observed)}`
      },
    }))

const dataVolumeSettings = (
  { name, iops, throughput, snapshotID }: WorkerConfig['dataVolumes'][number],
  { dataVolumes = [] }: WorkerPool,
): readonly Field[] => {
  const index = deviceIndexOf(dataVolumes, name)
  const setting = (field: string, value: string | number | undefined): Field => ({
    name: `data volume ${name}: ${field}`,
    datum: value === undefined ? undefined : String(value),
    observed: content => deviceText(content, index, field, dataVolumes.length),
  })
  return [
    // A class does not tell what its volumes are called.
    { name: `settings of data volume ${name}`, datum: name, observed: () => undefined },
    setting('iops', iops),
    setting('throughput', throughput),
    setting('snapshotID', snapshotID),
  ]
}

/** Per entry of the WorkerConfig, of which each is one interface of the class or, with a range, several. */
const interfaceFields = ({ networkInterfaces }: WorkerConfig): readonly Field[] => {
  const sizes = networkInterfaces.map(({ networkCardIndexRange: range }) =>
    range === undefined ? 1 : cardsIn(range),
  )
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return networkInterfaces.flatMap((entry, position) => {
    const first = sizes.slice(0, position).reduce((sum, size) => sum + size, 0)
    const field = (name: string, datum: string | number | undefined, key: string, index = first): Field => ({
      name: `network interface ${position}: ${name}`,
      datum: datum === undefined ? undefined : String(datum),
      // Which is which a class tells only while it has as many.
      observed: ({ providerSpec }) =>
        countAt(providerSpec, ['networkInterfaces']) === all
          ? textAt(providerSpec, ['networkInterfaces', index, key])
          : undefined,
    })
    const range = entry.networkCardIndexRange
    return [
      field('type', interfaceType(entry), 'interfaceType'),
      field('deviceIndex', entry.deviceIndex ?? 0, 'deviceIndex'),
      field('networkCardIndex', entry.networkCardIndex, 'networkCardIndex'),
      field('networkCardIndexRange.from', range?.from, 'networkCardIndex'),
      field('networkCardIndexRange.to', range?.to, 'networkCardIndex', first + (sizes[position] ?? 1) - 1),
      field('subnetID', entry.subnetID, 'subnetID'),
    ]
  })
}
