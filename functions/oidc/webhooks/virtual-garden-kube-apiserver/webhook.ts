import { defineWebhook } from '../../../../build/library/webhooks.ts'
import { apiServerLabels, apiServerReview, component, secretsPermission } from '../review.ts'

/** The API server of the virtual garden, if the Extension is of class garden. */
export const definition = defineWebhook({
  name: 'virtual-garden-kube-apiserver',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [{ group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment' }],
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['garden'] }],
  },
  objectSelector: apiServerLabels,
  permissions: [secretsPermission],
  review: apiServerReview('garden'),
})
