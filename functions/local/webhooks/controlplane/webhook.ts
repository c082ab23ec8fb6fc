import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  changePod,
  changeTemplate,
  clusterPermission,
  controlPlaneReviewer,
  controlPlaneWebhook,
  isSelfHosted,
  machineControllerSidecar,
  type PodTemplate,
  readCluster,
  withSidecar,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const settings = z.object({
  localMachineControllerImage: z
    .string()
    .min(1)
    .default('machine-controller-manager-provider-local:v0.0.0')
    .meta({
      description: "Image of the machine controller's part for provider local, built by the local setup.",
    }),
})

/** Changes Gardener's own control plane components and the nodes for an environment in which nodes are pods. */
export const definition = defineWebhook({
  ...controlPlaneWebhook,
  component,
  namespaceSelector: {
    matchExpressions: [{ key: 'shoot.gardener.cloud/provider', operator: 'In', values: ['local'] }],
  },
  settings,
  permissions: [clusterPermission],
  review: controlPlaneReviewer<z.output<typeof settings>>({
    component,
    deployment: async ({ name, namespace = '', object }, lookup, { localMachineControllerImage: image }) => {
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
    // The node is a pod, and its swap belongs to the host.
    nodes: () => ({ kubelet: { fields: { failSwapOn: false } } }),
  }),
})

/** Tests of Gardener check by this label that a webhook was called. */
const withLabel = (template: PodTemplate): PodTemplate => ({
  ...template,
  metadata: { ...template.metadata, labels: { ...template.metadata?.labels, 'injected-by': component } },
})
