import type { Image } from '../rows/compute.ts'
import type { Ec2Tag } from '../rows/resource.ts'

export interface ImageToAdd {
  /** `ami-…` */
  readonly id: string
  readonly name: string
  readonly architecture: Image['architecture']
  readonly description?: string
  /** Default: `uefi-preferred`, for arm64 `uefi`. null: the image has no boot mode. */
  readonly bootMode?: Image['bootMode'] | null
  /** Default: the caller's account. */
  readonly ownerId?: string
  readonly ownerAlias?: string
  /** Default: false. */
  readonly isPublic?: boolean
  /** Default: `/dev/xvda`. */
  readonly rootDeviceName?: string
  /** GiB. Default: 8. */
  readonly rootSize?: number
  readonly tags?: readonly Ec2Tag[]
}
