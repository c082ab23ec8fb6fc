import {
  type Problem,
  type ProblemKind,
  problemsInEach,
  shown,
} from '../../../../../shared/decode/problems.ts'
import { when } from '../../../../../shared/lists/when.ts'
import {
  nodeTemplateProblems,
  type PoolToCheck,
  type VolumeToCheck,
} from '../../../../../shared/worker/validation/validation.ts'
import { formats, formProblems } from '../../../../../terraform-free-infra/aws/account/formats.ts'
import type { WorkerConfig } from '../config/worker-config.ts'
import type { CheckedBy } from './checked-by.ts'
import { instanceProblems } from './instance-problems.ts'
import { interfaceProblems } from './interface-problems.ts'

/** Returns all problems of a WorkerConfig in its pool. Paths begin at the config. */
export const configProblems = (
  config: WorkerConfig,
  pool: PoolToCheck,
  by: CheckedBy,
): readonly Problem[] => [
  ...performanceProblems('volume', config.volume ?? {}, pool.volume),
  ...dataVolumeProblems(config, pool),
  ...profileProblems(config, by),
  ...nodeTemplateProblems('nodeTemplate', config.nodeTemplate),
  ...instanceProblems(config, by),
  ...interfaceProblems(config.networkInterfaces),
]

interface Performance {
  readonly iops?: number | undefined
  readonly throughput?: number | undefined
}

const performanceProblems = (
  path: string,
  { iops, throughput }: Performance,
  volume: VolumeToCheck | null | undefined,
): readonly Problem[] => [
  ...when(volume?.type === 'io1' && iops === undefined, {
    path: `${path}.iops`,
    message: 'expected a number because the volume type io1 requires it, found nothing',
    kind: 'required' as const,
  }),
  // Gardener's own extension reports these two differently.
  ...positive(`${path}.iops`, iops, 'forbidden'),
  ...positive(`${path}.throughput`, throughput, 'invalid'),
]

const positive = (path: string, value: number | undefined, kind: ProblemKind): readonly Problem[] =>
  value === undefined || value > 0
    ? []
    : [{ path, message: `expected a number above 0, found ${value}`, kind }]

const dataVolumeProblems = (
  { dataVolumes: settings }: WorkerConfig,
  { dataVolumes }: PoolToCheck,
): readonly Problem[] => {
  const volumes = dataVolumes ?? []
  // The first entry with a name takes effect.
  const volumeByName = new Map(volumes.toReversed().map(volume => [volume.name, volume]))
  const seen = new Set<string>()
  const named = problemsInEach(settings, (entry, index) => {
    const path = `dataVolumes[${index}]`
    const volume = volumeByName.get(entry.name)
    const isTwice = seen.has(entry.name)
    seen.add(entry.name)
    return [
      ...when(volume === undefined, {
        path: `${path}.name`,
        message: `expected a data volume of the pool, found ${shown(entry.name)}`,
      }),
      ...when(isTwice, {
        path: `${path}.name`,
        message: `expected each volume only once, found ${shown(entry.name)} again`,
        kind: 'duplicate' as const,
      }),
      ...performanceProblems(path, entry, volume),
      ...formProblems(`${path}.snapshotID`, entry.snapshotID, formats.snapshot),
    ]
  })
  const settingNames = new Set(settings.map(({ name }) => name))
  const unnamed = problemsInEach(volumes, ({ name, type }) =>
    when(type === 'io1' && !settingNames.has(name), {
      path: 'dataVolumes',
      message: `expected the iops of ${shown(name)} because the volume type io1 requires it, found nothing`,
      kind: 'required' as const,
    }),
  )
  return [...named, ...unnamed]
}

const profileProblems = ({ iamInstanceProfile: profile }: WorkerConfig, by: CheckedBy): readonly Problem[] =>
  profile === undefined || Boolean(profile.name) !== Boolean(profile.arn)
    ? [
        // AWS reports whether a profile of this name exists.
        ...(by === 'admission'
          ? formProblems('iamInstanceProfile.name', profile?.name || undefined, formats.instanceProfileName)
          : []),
        ...formProblems('iamInstanceProfile.arn', profile?.arn || undefined, formats.instanceProfileArn),
      ]
    : [
        {
          path: 'iamInstanceProfile',
          message: `expected either a name or an arn, found ${profile.name ? 'both' : 'neither'}`,
        },
      ]
