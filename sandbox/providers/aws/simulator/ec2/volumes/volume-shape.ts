import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { missingParameter } from '../core/refusals.ts'
import type { Image, Volume } from '../rows/compute.ts'

/** The usual IOPS and throughput of the volume types ("Amazon EBS volume types", EBS user guide). */
const usualOf: Readonly<Record<string, { readonly iops?: number; readonly throughput?: number }>> = {
  gp2: {},
  gp3: { iops: 3_000, throughput: 125 },
  io1: {},
  io2: {},
  st1: {},
  sc1: {},
  standard: {},
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
  const usual = Object.hasOwn(usualOf, type) ? usualOf[type] : undefined
  if (!usual) throw refuse('UnknownVolumeType', `Unsupported volume type '${type}' for volume creation.`)
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
  if (request.KmsKeyId !== undefined && request.Encrypted !== true) {
    throw refuse(
      'InvalidParameterDependency',
      'The parameter KmsKeyId requires the parameter Encrypted to be set.',
    )
  }
  const iops = request.Iops ?? usual.iops
  return {
    type,
    size,
    iops: iops ?? (type === 'gp2' ? Math.min(Math.max(100, size * 3), 16_000) : undefined),
    throughput: request.Throughput ?? usual.throughput,
    encrypted: request.Encrypted ?? false,
    kmsKeyId: request.KmsKeyId,
    snapshotId,
  }
}
