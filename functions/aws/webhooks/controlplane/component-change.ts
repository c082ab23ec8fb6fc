import type { Cluster } from '../../../../shared/contract/objects.ts'
import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import type { PodTemplate } from '../../../../shared/webhooks/components/webhooks.ts'
import type { ImageSource } from '../../controlplane/images/images.ts'

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
