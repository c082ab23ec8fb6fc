import type { Ec2 } from '../core/context.ts'
import type { Image } from '../rows/compute.ts'
import type { ImageToAdd } from './image-to-add.ts'

const bootModeOf = ({ bootMode, architecture }: ImageToAdd): Image['bootMode'] => {
  if (bootMode === null) return undefined
  return bootMode ?? (architecture === 'arm64' ? 'uefi' : 'uefi-preferred')
}

/** Adds an image, or replaces the one with its id. */
export const newImage = (ec2: Ec2, image: ImageToAdd): Image => {
  const row: Image = {
    ...ec2.newResource('ami', image.tags ?? []),
    id: image.id,
    name: image.name,
    description: image.description ?? image.name,
    architecture: image.architecture,
    bootMode: bootModeOf(image),
    ownerId: image.ownerId ?? ec2.accountId,
    ownerAlias: image.ownerAlias,
    isPublic: image.isPublic ?? false,
    rootDeviceName: image.rootDeviceName ?? '/dev/xvda',
    rootSize: image.rootSize ?? 8,
    snapshotId: image.id.replace(/^ami-/, 'snap-'),
  }
  ec2.tables.images.put(row)
  return row
}
