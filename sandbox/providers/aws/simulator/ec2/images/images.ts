import type { DescribeImagesRequest, DescribeImagesResult, Image as ImageOut } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { listRows } from '../core/describe/list.ts'
import { operation } from '../core/requests/operation.ts'
import type { Image } from '../rows/compute.ts'
import { tagsOut } from '../tags/tag-rules.ts'

const view = (row: Image): ImageOut => ({
  ImageId: row.id,
  Name: row.name,
  Description: row.description,
  ImageLocation: `${row.ownerAlias ?? row.ownerId}/${row.name}`,
  ImageType: 'machine',
  State: 'available',
  OwnerId: row.ownerId,
  ImageOwnerAlias: row.ownerAlias,
  Public: row.isPublic,
  Architecture: row.architecture,
  ...(row.bootMode && { BootMode: row.bootMode }),
  CreationDate: new Date(row.createdAt).toISOString(),
  EnaSupport: true,
  Hypervisor: 'xen',
  PlatformDetails: 'Linux/UNIX',
  UsageOperation: 'RunInstances',
  RootDeviceName: row.rootDeviceName,
  RootDeviceType: 'ebs',
  SriovNetSupport: 'simple',
  VirtualizationType: 'hvm',
  BlockDeviceMappings: [
    {
      DeviceName: row.rootDeviceName,
      Ebs: {
        DeleteOnTermination: true,
        SnapshotId: row.snapshotId,
        VolumeSize: row.rootSize,
        VolumeType: 'gp3',
        Encrypted: false,
      },
    },
  ],
  Tags: tagsOut(row.tags),
})

const fields: FilterFields<Image> = {
  architecture: row => row.architecture,
  'block-device-mapping.device-name': row => row.rootDeviceName,
  'block-device-mapping.snapshot-id': row => row.snapshotId,
  'boot-mode': row => row.bootMode,
  'creation-date': row => new Date(row.createdAt).toISOString(),
  description: row => row.description,
  'ena-support': () => true,
  hypervisor: () => 'xen',
  'image-id': row => row.id,
  'image-type': () => 'machine',
  'is-public': row => row.isPublic,
  name: row => row.name,
  'owner-alias': row => row.ownerAlias,
  'owner-id': row => row.ownerId,
  'root-device-name': row => row.rootDeviceName,
  'root-device-type': () => 'ebs',
  state: () => 'available',
  'virtualization-type': () => 'hvm',
}

const isOwnedBy = (ec2: Ec2, row: Image, owner: string): boolean =>
  owner === 'self' ? row.ownerId === ec2.accountId : owner === row.ownerId || owner === row.ownerAlias

/** Returns true if one of the users may start the image: `self`, `all`, or an account. */
const isOpenTo = (ec2: Ec2, row: Image, users: readonly string[] | undefined): boolean => {
  if (!users?.length) return true
  const own = row.ownerId === ec2.accountId
  return users.some(user => (user === 'all' ? row.isPublic : user === 'self' && own && !row.isPublic))
}

export const imageOperations = {
  DescribeImages: operation<DescribeImagesRequest, DescribeImagesResult>(
    {
      ImageIds: true,
      Owners: true,
      ExecutableUsers: true,
      IncludeDeprecated: true,
      IncludeDisabled: true,
      Filters: true,
      MaxResults: true,
      NextToken: true,
    },
    (input, ec2) => {
      const owners = input.Owners ?? []
      const { items, next } = listRows(ec2, 'images', fields, {
        ...input,
        ids: input.ImageIds,
        idsName: 'imagesSet',
        filters: input.Filters,
      })
      const found = items.filter(
        row =>
          (owners.length === 0 || owners.some(owner => isOwnedBy(ec2, row, owner))) &&
          isOpenTo(ec2, row, input.ExecutableUsers),
      )
      return { Images: found.map(view), NextToken: next }
    },
  ),
}
