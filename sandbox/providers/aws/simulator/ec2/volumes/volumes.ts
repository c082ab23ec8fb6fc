import type { DescribeVolumesRequest, DescribeVolumesResult } from '@aws-sdk/client-ec2'
import { listRows } from '../core/describe/list.ts'
import { operation } from '../core/requests/operation.ts'
import { volumeFields, volumeView } from './view.ts'

export const volumeOperations = {
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
}
