import type {
  CreateVolumeRequest,
  DeleteVolumeRequest,
  DescribeVolumesRequest,
  DescribeVolumesResult,
  Volume as VolumeOut,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { missingParameter } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import type { Volume } from '../rows/compute.ts'
import { newTags } from '../tags/tag-rules.ts'
import { zonesOf } from '../zones/catalogue.ts'
import { volumeAttachmentOf, volumeFields, volumeView } from './view.ts'
import { volumeShape } from './volume-shape.ts'

const zoneOf = (ec2: Ec2, { AvailabilityZone, AvailabilityZoneId }: CreateVolumeRequest): string => {
  if (AvailabilityZone === undefined && AvailabilityZoneId === undefined) {
    throw missingParameter('AvailabilityZone')
  }
  const zone = zonesOf(ec2.region).find(
    ({ name, id }) => name === AvailabilityZone || id === AvailabilityZoneId,
  )
  if (!zone) {
    throw refuse(
      'InvalidZone.NotFound',
      `The zone '${AvailabilityZone ?? AvailabilityZoneId}' does not exist.`,
    )
  }
  return zone.name
}

export const volumeOperations = {
  CreateVolume: operation<CreateVolumeRequest, VolumeOut>(
    {
      AvailabilityZone: true,
      AvailabilityZoneId: true,
      Size: true,
      SnapshotId: true,
      VolumeType: true,
      Iops: true,
      Throughput: true,
      Encrypted: true,
      KmsKeyId: true,
      ClientToken: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      const { ids } = onceByToken(ec2, 'CreateVolume', input, () => {
        const zone = zoneOf(ec2, input)
        const shape = volumeShape(ec2, input)
        const tags = newTags(input.TagSpecifications, 'volume')
        const row: Volume = { ...ec2.newResource('vol', tags), ...shape, zone }
        ec2.tables.volumes.put(row)
        return [row.id]
      })
      const row = ec2.tables.volumes.get(ids[0] ?? '')
      return row ? volumeView(ec2, row) : { VolumeId: ids[0], State: 'deleted' }
    },
  ),
  DescribeVolumes: operation<DescribeVolumesRequest, DescribeVolumesResult>(
    { VolumeIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'volumes', volumeFields(ec2), {
        ...input,
        ids: input.VolumeIds,
        idsName: 'volumesSet',
        filters: input.Filters,
      })
      return { Volumes: items.map(row => volumeView(ec2, row)), NextToken: next }
    },
  ),
  DeleteVolume: operation<DeleteVolumeRequest, object>({ VolumeId: true }, (input, ec2) => {
    const row = find(ec2, 'volumes', input.VolumeId)
    const attachment = volumeAttachmentOf(ec2, row)
    if (attachment) {
      throw refuse('VolumeInUse', `Volume ${row.id} is currently attached to ${attachment.instanceId}`)
    }
    if (row.deletedAt !== undefined) return {}
    const goneAt = ec2.now + ec2.durations.volumeDeleted
    ec2.tables.volumes.put({ ...row, deletedAt: ec2.now, goneAt })
    return {}
  }),
}
