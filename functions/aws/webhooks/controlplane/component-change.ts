import type { Cluster } from '../../../../shared/contract/objects.ts'
import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import type { PodTemplate } from '../../../../shared/webhooks/components/webhooks.ts'
import type { ImageSource } from '../../controlplane/images/images.ts'

/** The input of a component's changes. */
export interface ComponentInput {
  readonly cluster: Cluster
  readonly namespace: string
  readonly lookup: Lookup
  readonly images: readonly ImageSource[]
}

/** Changes the pod template of a component. Any reads happen first. */
export type ComponentChange = (
  input: ComponentInput,
) => ((template: PodTemplate) => PodTemplate) | Promise<(template: PodTemplate) => PodTemplate>
