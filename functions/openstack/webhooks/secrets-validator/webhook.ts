import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import { secretValidator } from '../../../../shared/webhooks/garden/garden.ts'
import { admission } from '../admission.ts'
import { openstackCredentials } from '../credentials/openstack-credentials.ts'

/** Refuses Secrets of shoots without usable credentials of a project. */
export const definition = defineWebhook({
  name: 'secrets.validator',
  component: admission,
  action: 'validate',
  target: 'garden',
  resources: [{ group: '', versions: ['v1'], plural: 'secrets', kind: 'Secret' }],
  objectSelector: { matchLabels: { 'provider.shoot.gardener.cloud/openstack': 'true' } },
  deleting: true,
  review: secretValidator(openstackCredentials),
})
