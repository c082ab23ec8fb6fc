import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import {
  createFileSystem,
  deleteFileSystem,
  describeFileSystems,
  listTagsForResource,
  tagResource,
  untagResource,
} from './file-systems.ts'
import {
  createMountTarget,
  deleteMountTarget,
  describeMountTargets,
  modifyMountTargetSecurityGroups,
} from './mount-targets.ts'
import { efsRefusals } from './refusals.ts'
import { durationsOf, type EfsSettings } from './settings.ts'
import { type EfsState, emptyState } from './state.ts'

export const efsModel = serviceModel({
  name: 'elasticfilesystem',
  protocol: 'restJson',
  version: '2015-02-01',
  schemas: storedSchemas('elasticfilesystem'),
})

/**
 * The EC2 actions that EFS performs on the caller's behalf ("CreateMountTarget", "DeleteMountTarget", API reference).
 */
const inEc2: Readonly<Record<string, readonly string[]>> = {
  CreateMountTarget: ['ec2:DescribeSubnets', 'ec2:DescribeNetworkInterfaces', 'ec2:CreateNetworkInterface'],
  DeleteMountTarget: ['ec2:DeleteNetworkInterface'],
}

const actionsOf = (operation: string, { Tags }: Readonly<Record<string, unknown>>): readonly string[] => [
  `elasticfilesystem:${operation}`,
  ...(operation === 'CreateFileSystem' && Array.isArray(Tags) && Tags.length > 0
    ? ['elasticfilesystem:TagResource']
    : []),
  ...(inEc2[operation] ?? []),
]

/** EFS: file systems and their mount targets. */
export const createEfs = (settings: EfsSettings = {}): Service<EfsState> => {
  const durations = durationsOf(settings)
  return {
    model: efsModel,
    scope: 'regional',
    signingName: 'elasticfilesystem',
    largestBody: 1024 * 1024,
    createState: emptyState,
    lateRows: { fileSystems: { id: 'id' }, mountTargets: { id: 'id' } },
    readsOf: ({ fileSystems }) =>
      fileSystems.map(({ id }) => ['DescribeMountTargets', { FileSystemId: id }] as const),
    actionsOf,
    refusals: efsRefusals,
    handlers: {
      CreateFileSystem: takes(
        createFileSystem(durations),
        'CreationToken',
        'PerformanceMode',
        'Encrypted',
        'KmsKeyId',
        'ThroughputMode',
        'ProvisionedThroughputInMibps',
        'AvailabilityZoneName',
        'Tags',
      ),
      DescribeFileSystems: takes(
        describeFileSystems(durations),
        'MaxItems',
        'Marker',
        'CreationToken',
        'FileSystemId',
      ),
      DeleteFileSystem: takes(deleteFileSystem(durations), 'FileSystemId'),
      ListTagsForResource: takes(listTagsForResource(durations), 'ResourceId', 'MaxResults', 'NextToken'),
      TagResource: takes(tagResource(durations), 'ResourceId', 'Tags'),
      UntagResource: takes(untagResource(durations), 'ResourceId', 'TagKeys'),
      CreateMountTarget: takes(
        createMountTarget(durations),
        'FileSystemId',
        'SubnetId',
        'IpAddress',
        'IpAddressType',
        'SecurityGroups',
      ),
      DescribeMountTargets: takes(
        describeMountTargets(durations),
        'MaxItems',
        'Marker',
        'FileSystemId',
        'MountTargetId',
      ),
      DeleteMountTarget: takes(deleteMountTarget(durations), 'MountTargetId'),
      ModifyMountTargetSecurityGroups: takes(
        modifyMountTargetSecurityGroups(durations),
        'MountTargetId',
        'SecurityGroups',
      ),
    },
  }
}
