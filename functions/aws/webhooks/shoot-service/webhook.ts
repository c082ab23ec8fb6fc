import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { component } from '../registration.ts'
import { reviewService, servicePermission } from './dual-stack.ts'

/** The users' own Services in a shoot. */
export const definition = defineWebhook({
  name: 'shoot-service',
  component,
  action: 'mutate',
  target: 'shoot',
  resources: [{ group: '', versions: ['v1'], plural: 'services', kind: 'Service' }],
  objectSelector: {
    matchExpressions: [{ key: 'resources.gardener.cloud/managed-by', operator: 'DoesNotExist' }],
  },
  permissions: [servicePermission],
  review: reviewService,
})
