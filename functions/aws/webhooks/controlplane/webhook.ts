import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import {
  cloudproviderPermission,
  clusterPermission,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { imageSettings } from '../../controlplane/images/images.ts'
import { component, shootNamespaces } from '../registration.ts'
import { controlPlaneReview } from './review.ts'

/** Changes Gardener's own control plane components and the nodes for AWS. */
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
  namespaceSelector: shootNamespaces,
  objectSelector: {
    matchLabels: { 'provider.extensions.gardener.cloud/mutated-by-controlplane-webhook': 'true' },
  },
  settings: imageSettings,
  permissions: [clusterPermission, cloudproviderPermission],
  review: controlPlaneReview(),
})
