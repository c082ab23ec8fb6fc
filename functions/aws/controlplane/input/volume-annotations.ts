import type { Cluster } from '../../../../shared/contract/objects.ts'
import { asksForAttributesClass } from '../../../../terraform-free-infra/aws/account/config/config.ts'

const prefix = 'aws.provider.extensions.gardener.cloud'

/** The volume settings in annotations of the shoot (docs/contract/control-plane.md#annotations-of-the-shoot). */
export interface VolumeAnnotations {
  /** Passed on unparsed. An empty value is ignored, because the flag would stop the driver. */
  readonly volumeAttachLimit: string | undefined
  readonly reservedVolumeAttachments: string | undefined
  readonly legacyXfs: string | undefined
  readonly hasVolumeAttributesClass: boolean
}

export const volumeAnnotations = ({ spec: { shoot } }: Cluster): VolumeAnnotations => {
  const value = (name: string) => shoot.metadata?.annotations?.[`${prefix}/${name}`]
  return {
    volumeAttachLimit: value('volume-attach-limit') || undefined,
    reservedVolumeAttachments: value('reserved-volume-attachments') || undefined,
    legacyXfs: value('legacy-xfs') || undefined,
    hasVolumeAttributesClass: asksForAttributesClass(shoot.metadata?.annotations),
  }
}
