import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import {
  autoscalerSchema,
  changeNodes,
  changePod,
  changeTemplate,
  clusterReader,
  deploymentSchema,
  isSelfHosted,
  machineControllerSidecar,
  nodeConfigSchema,
  reviewerOf,
  withSidecar,
  withSidecarPolicy,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

interface MachineControllerSettings {
  readonly localMachineControllerImage: string
}

/** Responds by kind and name. Objects with another name do not change (docs/contract/provider-local.md#webhooks). */
export const controlPlaneReview = (): Reviewer<MachineControllerSettings> => {
  const readCluster = clusterReader()

  const ofDeployment = reviewerOf<typeof deploymentSchema, MachineControllerSettings>(
    deploymentSchema,
    async ({ name, namespace = '', object }, lookup, { localMachineControllerImage: image }) => {
      if (name === 'kube-scheduler') return { changed: changeTemplate(object, withLabel) }
      if (name !== 'machine-controller-manager') return {}
      const sidecar = machineControllerSidecar({
        provider: component,
        image,
        namespace,
        isSelfHosted: isSelfHosted(await readCluster(lookup, namespace)),
      })
      return {
        changed: changeTemplate(object, template => changePod(template, pod => withSidecar(pod, sidecar))),
      }
    },
  )

  const ofAutoscaler = reviewerOf<typeof autoscalerSchema, MachineControllerSettings>(
    autoscalerSchema,
    ({ name, object }) =>
      name === 'machine-controller-manager-vpa' ? { changed: withSidecarPolicy(object, component) } : {},
  )

  const ofNodes = reviewerOf<typeof nodeConfigSchema, MachineControllerSettings>(
    nodeConfigSchema,
    ({ object }) =>
      // The node is a pod, and its swap belongs to the host.
      object.spec.purpose === 'reconcile'
        ? { changed: changeNodes(object, { kubelet: { fields: { failSwapOn: false } } }) }
        : {},
  )

  return (request, lookup, settings) => {
    switch (request.object.kind) {
      case 'Deployment':
        return ofDeployment(request, lookup, settings)
      case 'VerticalPodAutoscaler':
        return ofAutoscaler(request, lookup, settings)
      default:
        return ofNodes(request, lookup, settings)
    }
  }
}

/** Tests of Gardener check by this label that a webhook was called. */
const withLabel = <
  T extends { readonly metadata?: { readonly labels?: object | null | undefined } | null | undefined },
>(
  template: T,
): T => ({
  ...template,
  metadata: {
    ...template.metadata,
    labels: { ...template.metadata?.labels, 'injected-by': component },
  },
})
