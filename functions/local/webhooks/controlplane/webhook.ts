import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { clusterPermission } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'
import { controlPlaneReview } from './review.ts'

/** Changes Gardener's own control plane components and the nodes for an environment in which nodes are pods. */
export const definition = defineWebhook({
  name: 'controlplane',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [
    { group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment' },
    {
      group: 'autoscaling.k8s.io',
      versions: ['v1'],
      plural: 'verticalpodautoscalers',
      kind: 'VerticalPodAutoscaler',
    },
    {
      group: 'extensions.gardener.cloud',
      versions: ['v1alpha1'],
      plural: 'operatingsystemconfigs',
      kind: 'OperatingSystemConfig',
    },
  ],
  namespaceSelector: {
    matchExpressions: [{ key: 'shoot.gardener.cloud/provider', operator: 'In', values: ['local'] }],
  },
  objectSelector: {
    matchLabels: { 'provider.extensions.gardener.cloud/mutated-by-controlplane-webhook': 'true' },
  },
  settings: z.object({
    localMachineControllerImage: z
      .string()
      .min(1)
      .default('machine-controller-manager-provider-local:v0.0.0')
      .meta({
        description: "Image of the machine controller's part for provider local, built by the local setup.",
      }),
  }),
  permissions: [clusterPermission],
  review: controlPlaneReview(),
})
