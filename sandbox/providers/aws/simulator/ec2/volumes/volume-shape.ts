import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { invalidCombination, invalidParameter, invalidValue, missingParameter } from '../core/refusals.ts'
import type { Image, Volume } from '../rows/compute.ts'

interface VolumeKind {
  /** GiB. */
  readonly size: readonly [least: number, most: number]
  /** `perGiB`: the IOPS limit per GiB of size. */
  readonly iops?: {
    readonly least: number
    readonly most: number
    readonly perGiB: number
    readonly usual?: number
  }
  readonly throughput?: { readonly least: number; readonly most: number; readonly usual: number }
}

/** "Amazon EBS volume types", EBS user guide. */
const kindsOfVolume: Readonly<Record<string, VolumeKind>> = {
  gp2: { size: [1, 16_384] },
  gp3: {
    size: [1, 65_536],
    iops: { least: 3_000, most: 80_000, perGiB: 500, usual: 3_000 },
    throughput: { least: 125, most: 2_000, usual: 125 },
  },
  io1: { size: [4, 16_384], iops: { least: 100, most: 64_000, perGiB: 50 } },
  io2: { size: [4, 65_536], iops: { least: 100, most: 256_000, perGiB: 1_000 } },
  st1: { size: [125, 16_384] },
  sc1: { size: [125, 16_384] },
  standard: { size: [1, 1_024] },
}

/** The volume parameters of a request. */
export interface VolumeRequest {
  readonly VolumeType?: string | undefined
  readonly Size?: number | undefined
  readonly Iops?: number | undefined
  readonly Throughput?: number | undefined
  readonly Encrypted?: boolean | undefined
  readonly KmsKeyId?: string | undefined
  readonly SnapshotId?: string | undefined
}

export type VolumeShape = Pick<
  Volume,
  'size' | 'type' | 'iops' | 'throughput' | 'encrypted' | 'kmsKeyId' | 'snapshotId'
>

const within = (what: string, value: number, least: number, most: number): void => {
  if (value < least) throw invalidValue(`Volume ${what} of ${value} is too low; minimum is ${least}.`)
  if (value > most) throw invalidValue(`Volume ${what} of ${value} is too high; maximum is ${most}.`)
}

const ratio = (what: string, value: number, most: string): void => {
  if (value <= Number.parseFloat(most)) return
  throw invalidValue(`${what} ratio of ${value.toFixed(6)} is too high; maximum is ${most}`)
}

const iopsOf = (
  type: string,
  kind: VolumeKind,
  size: number,
  wanted: number | undefined,
): number | undefined => {
  if (!kind.iops) {
    if (wanted === undefined) return undefined
    throw invalidCombination(`The parameter iops is not supported for ${type} volumes.`)
  }
  const value = wanted ?? kind.iops.usual
  if (value === undefined)
    throw refuse('MissingParameter', `The parameter iops must be specified for ${type} volumes.`)
  within('iops', value, kind.iops.least, kind.iops.most)
  if (value !== kind.iops.usual) ratio('Iops to volume size', value / size, `${kind.iops.perGiB}`)
  return value
}

const throughputOf = (
  type: string,
  kind: VolumeKind,
  iops: number | undefined,
  wanted: number | undefined,
): number | undefined => {
  if (!kind.throughput) {
    if (wanted === undefined) return undefined
    throw invalidCombination(`The parameter throughput is not supported for ${type} volumes.`)
  }
  const value = wanted ?? kind.throughput.usual
  within('throughput', value, kind.throughput.least, kind.throughput.most)
  if (iops !== undefined) ratio('Throughput (MiBps) to iops', value / iops, '0.250000 MiBps per iops')
  return value
}

/** Returns the size of a snapshot: of a declared one, or of the root of an image. */
const snapshotSize = (ec2: Ec2, id: string): number => {
  const declared = Object.hasOwn(ec2.state.snapshots, id) ? ec2.state.snapshots[id] : undefined
  const image = ec2.tables.images.get(id.replace(/^snap-/, 'ami-'))
  const size = declared?.size ?? image?.rootSize
  if (size === undefined) throw refuse('InvalidSnapshot.NotFound', `The snapshot '${id}' does not exist.`)
  return size
}

/** @throws AwsError if EBS does not support such a volume */
export const volumeShape = (
  ec2: Ec2,
  request: VolumeRequest,
  { image, usualType = 'gp2' }: { readonly image?: Image; readonly usualType?: string } = {},
): VolumeShape => {
  const type = request.VolumeType ?? usualType
  const kind = Object.hasOwn(kindsOfVolume, type) ? kindsOfVolume[type] : undefined
  if (!kind) throw refuse('UnknownVolumeType', `Unsupported volume type '${type}' for volume creation.`)
  const snapshotId = request.SnapshotId ?? image?.snapshotId
  const least = snapshotId === undefined ? undefined : (image?.rootSize ?? snapshotSize(ec2, snapshotId))
  const size = request.Size ?? least
  if (size === undefined) throw missingParameter('size or snapshotId')
  if (least !== undefined && size < least) {
    throw refuse(
      'InvalidBlockDeviceMapping',
      `Volume of size ${size}GB is smaller than snapshot '${snapshotId}', expect size >= ${least}GB`,
    )
  }
  const [smallest, largest] = kind.size
  if (size < smallest) throw invalidValue(`Volume of ${size}GiB is too small; minimum is ${smallest}GiB.`)
  if (size > largest) throw invalidValue(`Volume of ${size}GiB is too large; maximum is ${largest}GiB.`)
  if (request.KmsKeyId !== undefined && request.Encrypted !== true) {
    throw refuse(
      'InvalidParameterDependency',
      'The parameter KmsKeyId requires the parameter Encrypted to be set.',
    )
  }
  if (!Number.isInteger(size)) throw invalidParameter('size', size, 'It must be a whole number of GiB.')
  const iops = iopsOf(type, kind, size, request.Iops)
  return {
    type,
    size,
    iops: iops ?? (type === 'gp2' ? Math.min(Math.max(100, size * 3), 16_000) : undefined),
    throughput: throughputOf(type, kind, iops, request.Throughput),
    encrypted: request.Encrypted ?? false,
    kmsKeyId: request.KmsKeyId,
    snapshotId,
  }
}
