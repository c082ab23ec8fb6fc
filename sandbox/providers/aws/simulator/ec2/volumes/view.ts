import type { Volume as VolumeOut } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import type { Volume, VolumeAttachment } from '../rows/compute.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import { zoneId } from '../zones/catalogue.ts'

export type VolumeStateName = 'creating' | 'available' | 'in-use' | 'deleting'

/** Returns the attachment while it exists. */
export const volumeAttachmentOf = (ec2: Pick<Ec2, 'now'>, row: Volume): VolumeAttachment | undefined =>
  row.attachment?.until !== undefined && ec2.now >= row.attachment.until ? undefined : row.attachment

export const volumeState = (ec2: Pick<Ec2, 'now' | 'durations'>, row: Volume): VolumeStateName => {
  if (row.deletedAt !== undefined) return 'deleting'
  if (ec2.now < row.createdAt + ec2.durations.volumeAvailable) return 'creating'
  return volumeAttachmentOf(ec2, row) ? 'in-use' : 'available'
}

export const attachmentState = (
  { now, durations }: Pick<Ec2, 'now' | 'durations'>,
  { at, until }: VolumeAttachment,
): 'attaching' | 'attached' | 'detaching' => {
  if (until !== undefined) return 'detaching'
  return now < at + durations.volumeAttached ? 'attaching' : 'attached'
}

export const volumeAttachmentView = (ec2: Ec2, row: Volume, attachment: VolumeAttachment) => ({
  VolumeId: row.id,
  InstanceId: attachment.instanceId,
  Device: attachment.device,
  State: attachmentState(ec2, attachment),
  AttachTime: new Date(attachment.at),
  DeleteOnTermination: attachment.deleteOnTermination,
})

export const volumeView = (ec2: Ec2, row: Volume): VolumeOut => {
  const attachment = volumeAttachmentOf(ec2, row)
  return {
    VolumeId: row.id,
    AvailabilityZone: row.zone,
    AvailabilityZoneId: zoneId(row.zone),
    State: volumeState(ec2, row),
    CreateTime: new Date(row.createdAt),
    Size: row.size,
    VolumeType: row.type as 'gp3',
    Iops: row.iops,
    Throughput: row.throughput,
    Encrypted: row.encrypted,
    KmsKeyId: row.kmsKeyId,
    SnapshotId: row.snapshotId ?? '',
    MultiAttachEnabled: false,
    Attachments: attachment ? [volumeAttachmentView(ec2, row, attachment)] : [],
    Tags: tagsOut(row.tags),
  }
}

export const volumeFields = (ec2: Ec2): FilterFields<Volume> => ({
  'attachment.attach-time': row => {
    const at = volumeAttachmentOf(ec2, row)?.at
    return at === undefined ? undefined : new Date(at).toISOString()
  },
  'attachment.delete-on-termination': row => volumeAttachmentOf(ec2, row)?.deleteOnTermination,
  'attachment.device': row => volumeAttachmentOf(ec2, row)?.device,
  'attachment.instance-id': row => volumeAttachmentOf(ec2, row)?.instanceId,
  'attachment.status': row => {
    const attachment = volumeAttachmentOf(ec2, row)
    return attachment && attachmentState(ec2, attachment)
  },
  'availability-zone': row => row.zone,
  'create-time': row => new Date(row.createdAt).toISOString(),
  encrypted: row => row.encrypted,
  size: row => row.size,
  'snapshot-id': row => row.snapshotId,
  status: row => volumeState(ec2, row),
  'volume-id': row => row.id,
  'volume-type': row => row.type,
})
