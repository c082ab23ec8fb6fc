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
import type { ConfigInterface, WorkerConfig } from '../config/worker-config.ts'
import { cardsIn, interfaceType, mostCards } from '../machine-class/class-content.ts'
import type { CheckedBy } from './checked-by.ts'
import { instanceProblems } from './instance-problems.ts'

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

/** More than any machine has, over all ranges. Otherwise, a class of 3 MB of text would have millions. */
const mostInterfaces = 2 * mostCards

const types = ['interface', 'efa', 'efa-only']

/** The maximum index of the machine controller and EC2: 32 bits. */
const largest = 2_147_483_647

/** Returns the problems of a WorkerConfig's interfaces. Paths begin at the config. */
const interfaceProblems = (interfaces: readonly ConfigInterface[]): readonly Problem[] => {
  const count = interfaces.reduce(
    (sum, { networkCardIndexRange: range }) => sum + (range === undefined ? 1 : cardsIn(range)),
    0,
  )
  if (count <= mostInterfaces) return problemsInEachInterface(interfaces)
  return [
    {
      path: 'networkInterfaces',
      message: `expected at most ${mostInterfaces} interfaces, found ${count}`,
      kind: 'forbidden',
    },
    ...problemsInEachInterface(interfaces),
  ]
}

const problemsInEachInterface = (interfaces: readonly ConfigInterface[]): readonly Problem[] =>
  problemsInEach(interfaces, (one, index) => {
    const path = `networkInterfaces[${index}]`
    const { networkCardIndex, networkCardIndexRange: range, deviceIndex, type } = one
    return [
      ...when(type !== undefined && type !== '' && !types.includes(type), {
        path: `${path}.type`,
        message: `expected one of ${types.join(', ')}, found ${shown(type)}`,
        kind: 'unsupported' as const,
      }),
      ...(networkCardIndex !== undefined && range !== undefined
        ? [{ path, message: 'expected either networkCardIndex or networkCardIndexRange, found both' }]
        : []),
      ...indexProblems(`${path}.networkCardIndex`, networkCardIndex),
      ...indexProblems(`${path}.networkCardIndexRange.from`, range?.from),
      ...indexProblems(`${path}.networkCardIndexRange.to`, range?.to),
      ...rangeProblems(`${path}.networkCardIndexRange`, range),
      ...indexProblems(`${path}.deviceIndex`, deviceIndex),
      ...when(isPrimary(one) && interfaceType(one) === 'efa-only', {
        path: `${path}.type`,
        message:
          'expected interface or efa because this is the primary interface (card 0, device 0), found "efa-only"',
      }),
    ]
  })

const isPrimary = ({ networkCardIndex, networkCardIndexRange: range, deviceIndex }: ConfigInterface) =>
  (deviceIndex ?? 0) === 0 && (range === undefined ? (networkCardIndex ?? 0) === 0 : range.from === 0)

const rangeProblems = (path: string, range: ConfigInterface['networkCardIndexRange']): readonly Problem[] => {
  if (range === undefined) return []
  if (range.from > range.to)
    return [{ path, message: `expected from to be at most to, found ${range.from} and ${range.to}` }]
  return cardsIn(range) <= mostCards
    ? []
    : [{ path, message: `expected at most ${mostCards} cards, found ${range.to - range.from + 1}` }]
}

const indexProblems = (path: string, index: number | undefined): readonly Problem[] =>
  index === undefined || (index >= 0 && index <= largest)
    ? []
    : [{ path, message: `expected 0 to ${largest}, found ${index}` }]
