import type { WorkerConfig } from '../config/worker-config.ts'
import { type PoolPlace, within } from '../pool-problem.ts'
import type { DataVolume, MachinePool } from '../request.ts'
import { byName } from './by-name.ts'

/** Data volumes use /dev/sdf to /dev/sdp. Other letters are reserved for the root volume or invalid in EC2. */
const deviceLetters = 'fghijklmnop'
export const mostDataVolumes = deviceLetters.length

/** GiB. The machine controller reads it into 32 bits. */
const largest = 2_147_483_647

type RootVolume = NonNullable<MachinePool['volume']>
interface Settings {
  readonly iops?: number | undefined
  readonly throughput?: number | undefined
  readonly snapshotID?: string | undefined
}

/**
 * Returns `blockDevices` of a class: the root volume, then the data volumes sorted by name. Throws a `CodedError` for a
 * size without digits, a size that is too large, and a volume without a free device name.
 */
export const blockDevicesOf = (
  place: PoolPlace,
  root: RootVolume,
  config: Pick<WorkerConfig, 'volume' | 'dataVolumes'> | undefined,
): readonly object[] => {
  const { dataVolumes = [] } = place.pool
  const sizeWayOut = `Set a whole number of GiB up to ${largest}, such as 50Gi`
  return [
    {
      ...(dataVolumes.length > 0 && { deviceName: '/root' }),
      ebs: within(place, 'volume.size', sizeWayOut, () => ebsOf('root disk', root, config?.volume)),
    },
    ...dataVolumes.toSorted(byName).map((volume, index) => {
      const field = `dataVolumes[${dataVolumes.indexOf(volume)}]`
      const settings = config?.dataVolumes.find(({ name }) => name === volume.name)
      return {
        deviceName: within(place, field, `Use at most ${mostDataVolumes} data volumes`, () =>
          deviceNameOf(volume, index),
        ),
        ebs: within(place, `${field}.size`, sizeWayOut, () =>
          ebsOf(`data volume ${volume.name}`, volume, settings),
        ),
      }
    }),
  ]
}

const ebsOf = (
  what: string,
  { size, type, encrypted }: RootVolume | DataVolume,
  settings: Settings = {},
) => ({
  volumeSize: gibOf(what, size),
  ...(type && { volumeType: type }),
  ...(encrypted !== false && { encrypted: true }),
  deleteOnTermination: true,
  ...(settings.iops && { iops: settings.iops }),
  ...(settings.throughput !== undefined && { throughput: settings.throughput }),
  ...(settings.snapshotID !== undefined && { snapshotID: settings.snapshotID }),
})

/** Returns the leading digits of a size. The unit is ignored. */
const gibOf = (what: string, size: string): number => {
  const digits = /^\d*/.exec(size)?.[0] ?? ''
  const wrong = (why: string) => new Error(`error when computing EBS for ${what}: ${why}`)
  if (digits === '') throw wrong('strconv.Atoi: parsing "": invalid syntax')
  if (Number(digits) > largest) throw wrong(`volume size cannot exceed ${largest}`)
  return Number(digits)
}

const deviceNameOf = ({ name, type, size, encrypted }: DataVolume, index: number): string => {
  const letter = deviceLetters[index]
  if (letter !== undefined) return `/dev/sd${letter}`
  const printed = [name, type ?? '<nil>', size, encrypted ?? '<nil>'].join(' ')
  throw new Error(`error when computing EBS device name for {${printed}}: unsupported data volume number`)
}
