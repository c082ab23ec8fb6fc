import { type Problem, shown } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import { formats, formProblems } from '../../../../../terraform-free-infra/aws/account/formats.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import type { CheckedBy } from './checked-by.ts'

/** Returns the WorkerConfig fields of an instance that EC2 would refuse. */
export const instanceProblems = (config: WorkerConfig, by: CheckedBy): readonly Problem[] => [
  ...metadataProblems(config),
  ...cpuProblems(config, by),
  ...reservationProblems(config),
  ...oneOf('instanceMarketOptions.marketType', config.instanceMarketOptions?.marketType, [
    'spot',
    'capacity-block',
    'interruptible-capacity-reservation',
  ]),
  ...placementProblems(config),
]

const metadataProblems = ({ instanceMetadataOptions: options }: WorkerConfig): readonly Problem[] => [
  // `invalid`, as in Gardener's own extension for this field only.
  ...oneOf('instanceMetadataOptions.httpTokens', options?.httpTokens, ['required', 'optional']).map(
    problem => ({ ...problem, kind: 'invalid' as const }),
  ),
  ...between('instanceMetadataOptions.httpPutResponseHopLimit', options?.httpPutResponseHopLimit, 1, 64),
]

const cpuProblems = ({ cpuOptions: options }: WorkerConfig, by: CheckedBy): readonly Problem[] => {
  if (options === undefined) return []
  const { coreCount, threadsPerCore, amdSevSnp } = options
  const missing = (path: string, beside: string) => ({
    path,
    message: `expected a number because ${beside} is set, found nothing`,
    kind: 'required' as const,
  })
  // Both are then null in the class, and the machine has the cores of its type.
  const isOneMissing = by === 'admission' && (coreCount === undefined) !== (threadsPerCore === undefined)
  const present = coreCount === undefined ? 'threadsPerCore' : 'coreCount'
  const absent = coreCount === undefined ? 'coreCount' : 'threadsPerCore'
  return [
    ...(isOneMissing ? [missing(`cpuOptions.${absent}`, present)] : []),
    ...between('cpuOptions.threadsPerCore', threadsPerCore, 1, 2),
    ...oneOf('cpuOptions.amdSevSnp', amdSevSnp, ['enabled', 'disabled']),
  ]
}

const reservationsOnly = 'capacity-reservations-only'

const reservationProblems = ({ capacityReservation }: WorkerConfig): readonly Problem[] => {
  if (capacityReservation === undefined) return []
  const {
    capacityReservationPreference: preference,
    capacityReservationId: id,
    capacityReservationResourceGroupArn: group,
  } = capacityReservation
  const path = 'capacityReservation'
  const named = [
    ...(id === undefined ? [] : ['capacityReservationId']),
    ...(group === undefined ? [] : ['capacityReservationResourceGroupArn']),
  ]
  return [
    ...oneOf(`${path}.capacityReservationPreference`, preference, [reservationsOnly, 'open', 'none']),
    ...formProblems(`${path}.capacityReservationId`, id, formats.capacityReservation),
    ...formProblems(`${path}.capacityReservationResourceGroupArn`, group, formats.resourceGroupArn),
    ...when(named.length > 1, {
      path: `${path}.capacityReservationId`,
      message: `expected either ${named.join(' or ')}, found both`,
      kind: 'forbidden' as const,
    }),
    ...(preference === undefined || preference === reservationsOnly
      ? []
      : named.map(name => ({
          path: `${path}.${name}`,
          message: `expected none with the preference ${shown(preference)}. Use ${reservationsOnly} or no preference`,
          kind: 'forbidden' as const,
        }))),
  ]
}

const placementProblems = ({ placement }: WorkerConfig): readonly Problem[] => [
  ...oneOf('placement.tenancy', placement?.tenancy, ['default', 'dedicated', 'host']),
  ...oneOf('placement.affinity', placement?.affinity, ['default', 'host']),
  ...when(placement?.hostId !== undefined && placement.tenancy !== 'host', {
    path: 'placement.hostId',
    message: 'expected none without the tenancy host',
    kind: 'forbidden' as const,
  }),
  ...between('placement.partitionNumber', placement?.partitionNumber, 1, Number.POSITIVE_INFINITY),
]

const oneOf = (path: string, value: string | undefined, values: readonly string[]): readonly Problem[] =>
  when(value !== undefined && !values.includes(value), {
    path,
    message: `expected one of ${values.join(', ')}, found ${shown(value)}`,
    kind: 'unsupported',
  })

const between = (path: string, value: number | undefined, least: number, most: number): readonly Problem[] =>
  when(value !== undefined && !(value >= least && value <= most), {
    path,
    message: `expected ${most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`}, found ${value}`,
  })
