import type {
  CreateFileSystemRequest,
  DeleteFileSystemRequest,
  DescribeFileSystemsRequest,
  DescribeFileSystemsResponse,
  FileSystemDescription,
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  TagResourceRequest,
  UntagResourceRequest,
} from '@aws-sdk/client-efs'
import { zonesOf } from '../ec2/zones/catalogue.ts'
import { refuseEfs } from './refusals.ts'
import { type EfsCall, fileSystemState, findFileSystem, pageOf, sweep, targetsOf } from './region.ts'
import type { EfsDurations } from './settings.ts'
import type { FileSystem } from './state.ts'
import { withTags } from './tags.ts'

const describe = (fileSystem: FileSystem, durations: EfsDurations, call: EfsCall): FileSystemDescription => {
  const { principal, region, clock } = call
  const zone = zonesOf(region).find(({ name }) => name === fileSystem.zone)
  const name = fileSystem.tags.find(({ Key }) => Key === 'Name')
  return {
    OwnerId: principal.accountId,
    CreationToken: fileSystem.creationToken,
    FileSystemId: fileSystem.id,
    FileSystemArn: `arn:aws:elasticfilesystem:${region}:${principal.accountId}:file-system/${fileSystem.id}`,
    CreationTime: new Date(fileSystem.createdAt),
    LifeCycleState: fileSystemState(fileSystem, durations, clock.now()),
    ...(name ? { Name: name.Value } : {}),
    NumberOfMountTargets: targetsOf(call, fileSystem).length,
    SizeInBytes: { Value: 6144, ValueInIA: 0, ValueInStandard: 6144, ValueInArchive: 0 },
    PerformanceMode: fileSystem.performanceMode,
    ThroughputMode: fileSystem.throughputMode,
    ...(fileSystem.provisioned === undefined ? {} : { ProvisionedThroughputInMibps: fileSystem.provisioned }),
    Encrypted: fileSystem.encrypted,
    ...(fileSystem.kmsKeyId === undefined ? {} : { KmsKeyId: fileSystem.kmsKeyId }),
    ...(zone ? { AvailabilityZoneName: zone.name, AvailabilityZoneId: zone.id } : {}),
    Tags: [...fileSystem.tags],
    FileSystemProtection: { ReplicationOverwriteProtection: 'ENABLED' },
  }
}

const check = (input: CreateFileSystemRequest, call: EfsCall): void => {
  const {
    CreationToken = '',
    PerformanceMode: performance = 'generalPurpose',
    ThroughputMode: throughput,
  } = input
  if (CreationToken === '' || CreationToken.length > 64) {
    throw refuseEfs('BadRequest', 'CreationToken must have between 1 and 64 characters')
  }
  if (!['generalPurpose', 'maxIO'].includes(performance)) {
    throw refuseEfs('BadRequest', `Invalid PerformanceMode: ${performance}`)
  }
  if (throughput !== undefined && !['bursting', 'provisioned', 'elastic'].includes(throughput)) {
    throw refuseEfs('BadRequest', `Invalid ThroughputMode: ${throughput}`)
  }
  if ((throughput === 'provisioned') !== (input.ProvisionedThroughputInMibps !== undefined)) {
    throw refuseEfs('BadRequest', 'ProvisionedThroughputInMibps belongs to ThroughputMode provisioned')
  }
  if (input.KmsKeyId !== undefined && !input.Encrypted) {
    throw refuseEfs('BadRequest', 'KmsKeyId can only be specified for encrypted file systems')
  }
  const zone = input.AvailabilityZoneName
  if (zone !== undefined && !zonesOf(call.region).some(({ name }) => name === zone)) {
    throw refuseEfs('BadRequest', `Invalid AvailabilityZoneName: ${zone}`)
  }
}

/** A creation token identifies one file system until that is deleted ("CreateFileSystem", API reference). */
export const createFileSystem =
  (durations: EfsDurations) =>
  (input: CreateFileSystemRequest, call: EfsCall): FileSystemDescription => {
    sweep(call, durations)
    check(input, call)
    const tags = withTags([], input.Tags)
    const creationToken = input.CreationToken ?? ''
    const known = call.state.fileSystems.find(each => each.creationToken === creationToken)
    if (known) {
      throw refuseEfs(
        'FileSystemAlreadyExists',
        `File system '${known.id}' already exists with creation token '${creationToken}'`,
        { FileSystemId: known.id },
      )
    }
    const { region, principal } = call
    const key = call.newId(12, '0123456789abcdef')
    const fileSystem: FileSystem = {
      creationToken,
      tags,
      id: `fs-${call.newId(17, '0123456789abcdef')}`,
      createdAt: call.clock.now(),
      performanceMode: input.PerformanceMode ?? 'generalPurpose',
      throughputMode: input.ThroughputMode ?? 'bursting',
      provisioned: input.ProvisionedThroughputInMibps,
      encrypted: input.Encrypted ?? false,
      kmsKeyId: input.Encrypted
        ? (input.KmsKeyId ??
          `arn:aws:kms:${region}:${principal.accountId}:key/00000000-0000-4000-8000-${key}`)
        : undefined,
      zone: input.AvailabilityZoneName,
      deletedAt: undefined,
    }
    call.state.fileSystems = [...call.state.fileSystems, fileSystem]
    return describe(fileSystem, durations, call)
  }

export const describeFileSystems =
  (durations: EfsDurations) =>
  (input: DescribeFileSystemsRequest, call: EfsCall): DescribeFileSystemsResponse => {
    sweep(call, durations)
    const { CreationToken, FileSystemId } = input
    if (CreationToken !== undefined && FileSystemId !== undefined) {
      throw refuseEfs('BadRequest', 'Specify either FileSystemId or CreationToken, not both.')
    }
    const found =
      FileSystemId === undefined
        ? call.state.fileSystems.filter(
            each => CreationToken === undefined || each.creationToken === CreationToken,
          )
        : [findFileSystem(call, FileSystemId)]
    const { page, markers } = pageOf(found, input)
    return { ...markers, FileSystems: page.map(each => describe(each, durations, call)) }
  }

/** @throws AwsError FileSystemInUse while mount targets exist, including those in deletion */
export const deleteFileSystem =
  (durations: EfsDurations) =>
  (input: DeleteFileSystemRequest, call: EfsCall): object => {
    sweep(call, durations)
    const fileSystem = findFileSystem(call, input.FileSystemId)
    if (targetsOf(call, fileSystem).length > 0) {
      throw refuseEfs(
        'FileSystemInUse',
        `Can't delete file system ${fileSystem.id} because it has mount targets.`,
      )
    }
    fileSystem.deletedAt ??= call.clock.now()
    return {}
  }

export const listTagsForResource =
  (durations: EfsDurations) =>
  (input: ListTagsForResourceRequest, call: EfsCall): ListTagsForResourceResponse => {
    sweep(call, durations)
    const { tags } = findFileSystem(call, input.ResourceId)
    const entries = tags.map(tag => ({ id: tag.Key, tag }))
    const { page, markers } = pageOf(entries, { Marker: input.NextToken, MaxItems: input.MaxResults })
    const { NextMarker } = markers
    return {
      Tags: page.map(({ tag }) => tag),
      ...(NextMarker === undefined ? {} : { NextToken: NextMarker }),
    }
  }

export const tagResource =
  (durations: EfsDurations) =>
  (input: TagResourceRequest, call: EfsCall): object => {
    sweep(call, durations)
    const fileSystem = findFileSystem(call, input.ResourceId)
    fileSystem.tags = withTags(fileSystem.tags, input.Tags)
    return {}
  }

export const untagResource =
  (durations: EfsDurations) =>
  (input: UntagResourceRequest, call: EfsCall): object => {
    sweep(call, durations)
    const fileSystem = findFileSystem(call, input.ResourceId)
    fileSystem.tags = fileSystem.tags.filter(({ Key }) => !input.TagKeys?.includes(Key))
    return {}
  }
