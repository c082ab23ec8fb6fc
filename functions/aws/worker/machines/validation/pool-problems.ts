import { isDeepStrictEqual } from 'node:util'
import { type Problem, problemsInEach, shown, shownNames } from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import { messageOf } from '../../../../../shared/text/message-of.ts'
import type { PoolToCheck, VolumeToCheck } from '../../../../../shared/worker/validation/validation.ts'
import { decodeStrictly } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { type WorkerConfig, workerConfigSchema } from '../config/worker-config.ts'
import { mostDataVolumes } from '../machine-class/block-devices.ts'
import { volumeTypes } from '../machine-class/deletable-spec.ts'
import type { CheckedBy } from './checked-by.ts'
import { configProblems } from './config-problems.ts'

/**
 * Returns all problems of a pool and its WorkerConfig (docs/contract/workers-aws.md#rules-for-a-pool), without checks
 * that need other objects. Paths begin at the pool. A rule that old shoots break does not apply to an unchanged
 * WorkerConfig.
 *
 * @param before the pool of the same name, before an update
 */
export const poolProblems = (pool: PoolToCheck, before?: PoolToCheck): readonly Problem[] => {
  if (!isThere(pool.providerConfig)) return problemsWith(undefined, pool, 'admission')
  let config: WorkerConfig
  try {
    config = decodeStrictly(workerConfigSchema, pool.providerConfig)
  } catch (error) {
    return [
      ...problemsWith(undefined, pool, 'admission'),
      { path: 'providerConfig', message: messageOf(error) },
    ]
  }
  const isSame = isDeepStrictEqual(before?.providerConfig, pool.providerConfig)
  return problemsWith(config, pool, isSame ? 'admission of the same' : 'admission')
}

/**
 * Like `poolProblems`, with a decoded WorkerConfig. `config` is undefined if the pool has no WorkerConfig or an
 * unreadable one. A step refuses the pools that the machine controller would refuse, and accepts pools of old shoots
 * that have running machines.
 */
export const problemsWith = (
  config: WorkerConfig | undefined,
  pool: PoolToCheck,
  by: CheckedBy,
): readonly Problem[] => [
  ...volumesProblems(pool),
  ...((pool.zones ?? []).length === 0
    ? [{ path: 'zones', message: 'expected at least one zone, found none', kind: 'required' as const }]
    : []),
  ...(isThere(pool.providerConfig) ? [] : missingConfigProblems(pool)),
  ...(config === undefined ? [] : configProblems(config, pool, by)).map(problem => ({
    ...problem,
    path: `providerConfig.${problem.path}`,
  })),
  ...(by === 'step' ? driverProblems(config, pool) : []),
]

/** Returns the problems of zones that the infrastructure of the shoot does not have. */
export const zoneProblems = (
  { zones }: PoolToCheck,
  infrastructureZones: readonly string[],
): readonly Problem[] =>
  problemsInEach(zones ?? [], (zone, index) =>
    when(!infrastructureZones.includes(zone), {
      path: `zones[${index}]`,
      message: `expected a zone of the infrastructure (${shownNames(infrastructureZones) || 'it has none'}), found ${shown(zone)}`,
    }),
  )

const volumesProblems = ({ volume, dataVolumes }: PoolToCheck): readonly Problem[] => {
  const more = dataVolumes ?? []
  return [
    ...(isThere(volume)
      ? [...filled('volume.size', volume.size), ...filled('volume.type', volume.type)]
      : [
          {
            path: 'volume',
            message: 'expected a root volume with size and type, found none',
            kind: 'required' as const,
          },
        ]),
    ...when(more.length > mostDataVolumes, {
      path: 'dataVolumes',
      message: `expected at most ${mostDataVolumes}, found ${more.length}`,
      kind: 'too-many' as const,
    }),
    ...problemsInEach(more, ({ size, type }, index) => [
      ...filled(`dataVolumes[${index}].size`, size),
      ...filled(`dataVolumes[${index}].type`, type),
    ]),
  ]
}

const filled = (path: string, value: string | null | undefined): readonly Problem[] =>
  value ? [] : [{ path, message: 'expected a text that is not empty, found none', kind: 'required' }]

/** Without a WorkerConfig, the IOPS are missing for a volume that needs them. */
const missingConfigProblems = ({ volume, dataVolumes }: PoolToCheck): readonly Problem[] =>
  when([volume, ...(dataVolumes ?? [])].some(needsIops), {
    path: 'providerConfig',
    message: 'expected a WorkerConfig with the iops of io1 volumes, found none',
    kind: 'required' as const,
  })

const needsIops = (volume: VolumeToCheck | null | undefined): boolean => volume?.type === 'io1'

const isThere = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null

/**
 * Returns the problems for which the machine controller refuses a class that Gardener's admission accepts
 * (docs/contract/workers-aws.md#classes-that-the-machine-controller-refuses). It neither creates nor deletes machines
 * of such a class, so a step must not write one.
 */
const driverProblems = (config: WorkerConfig | undefined, pool: PoolToCheck): readonly Problem[] => [
  ...volumeProblems('volume', pool.volume ?? {}),
  ...(pool.dataVolumes ?? []).flatMap((volume, index) => volumeProblems(`dataVolumes[${index}]`, volume)),
  ...reservationProblems(config),
]

const volumeProblems = (path: string, { type, size }: VolumeToCheck): readonly Problem[] => [
  ...when(type && !volumeTypes.includes(type), {
    path: `${path}.type`,
    message: `expected one of ${volumeTypes.join(', ')}, which the machine controller supports, found ${shown(type)}`,
  }),
  ...(/^0+(?!\d)/.test(size ?? '')
    ? [{ path: `${path}.size`, message: `expected at least 1Gi, found ${shown(size)}` }]
    : []),
]

const reservationProblems = (config: WorkerConfig | undefined): readonly Problem[] => {
  const {
    capacityReservationPreference: preference,
    capacityReservationId: id,
    capacityReservationResourceGroupArn: group,
  } = config?.capacityReservation ?? {}
  return when(preference && !(id === undefined && group === undefined), {
    path: 'providerConfig.capacityReservation.capacityReservationPreference',
    message: `expected none beside an id or a group, which the machine controller refuses, found ${shown(preference)}`,
  })
}
