import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import { validateShoot } from './validate-shoot.ts'

/** Refuses Shoots with a network of type `calico` that could not be made. */
export const definition = defineWebhook({
  name: 'validator',
  component: 'admission-calico',
  action: 'validate',
  target: 'garden',
  resources: [{ group: 'core.gardener.cloud', versions: ['v1beta1'], plural: 'shoots', kind: 'Shoot' }],
  objectSelector: { matchLabels: { 'networking.extensions.gardener.cloud/calico': 'true' } },
  review: validateShoot,
})
