import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { component, nginxIngress, systemNamespaces } from '../registration.ts'
import { reviewService, servicePermission } from '../shoot-service/dual-stack.ts'

/** The Service of the ingress controller. Gardener manages it, so `shoot-service` does not review it. */
export const definition = defineWebhook({
  name: 'shoot-service-nginx-ingress',
  component,
  action: 'mutate',
  target: 'shoot',
  resources: [{ group: '', versions: ['v1'], plural: 'services', kind: 'Service' }],
  namespaceSelector: systemNamespaces,
  objectSelector: nginxIngress,
  permissions: [servicePermission],
  review: reviewService,
})
