import type { Lookup } from '../../../../shared/admission/admission.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import type { PodTemplate } from '../../../../shared/webhooks/webhooks.ts'
import type { ImageSource } from '../../../../terraform-free-infra/aws/images/images.ts'

/** What the changes of a component follow from. */
export interface ComponentInput {
  readonly cluster: Cluster
  readonly namespace: string
  readonly lookup: Lookup
  readonly images: readonly ImageSource[]
}

/** How the pod template of a component is changed. What has to be read for it is read first. */
export type ComponentChange = (
  input: ComponentInput,
) => ((template: PodTemplate) => PodTemplate) | Promise<(template: PodTemplate) => PodTemplate>
