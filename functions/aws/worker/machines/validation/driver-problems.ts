import { type Problem, shown } from '../../../../../shared/decode/problems.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import { volumeTypes } from '../machine-class/deletable-spec.ts'
import type { PoolToCheck, VolumeToCheck } from './pool-to-check.ts'

/**
 * Returns the problems for which the machine controller refuses a class that Gardener's admission accepts
 * (docs/contract/workers-aws.md#classes-that-the-machine-controller-refuses). It neither creates nor deletes machines of such a
 * class, so a step must not write one.
 */
export const driverProblems = (config: WorkerConfig | undefined, pool: PoolToCheck): readonly Problem[] => [
  ...volumeProblems('volume', pool.volume ?? {}),
  ...(pool.dataVolumes ?? []).flatMap((volume, index) => volumeProblems(`dataVolumes[${index}]`, volume)),
  ...reservationProblems(config),
]

const volumeProblems = (path: string, { type, size }: VolumeToCheck): readonly Problem[] => [
  ...(!type || volumeTypes.includes(type)
    ? []
    : [
        {
          path: `${path}.type`,
          message: `expected one of ${volumeTypes.join(', ')}, which the machine controller supports, found ${shown(type)}`,
        },
      ]),
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
  return !preference || (id === undefined && group === undefined)
    ? []
    : [
        {
          path: 'providerConfig.capacityReservation.capacityReservationPreference',
          message: `expected none beside an id or a group, which the machine controller refuses, found ${shown(preference)}`,
        },
      ]
}
