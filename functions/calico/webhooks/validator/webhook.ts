import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import { validateShoot } from './validate-shoot.ts'

/** Refuses Shoots with an invalid network of type `calico`. */
export const definition = defineWebhook({
  name: 'validator',
  component: 'admission-calico',
  action: 'validate',
  target: 'garden',
  resources: [{ group: 'core.gardener.cloud', versions: ['v1beta1'], plural: 'shoots', kind: 'Shoot' }],
  objectSelector: { matchLabels: { 'networking.extensions.gardener.cloud/calico': 'true' } },
  review: validateShoot,
})
