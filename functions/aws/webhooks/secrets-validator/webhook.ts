import { defineWebhook } from '../../../../shared/webhooks/admission/admission.ts'
import { secretValidator } from '../../../../shared/webhooks/garden/garden.ts'
import { awsCredentials } from '../credentials/aws-credentials.ts'

/** Refuses Secrets of shoots without an access key or with an invalid one. */
export const definition = defineWebhook({
  name: 'secrets.validator',
  component: 'admission-aws',
  action: 'validate',
  target: 'garden',
  resources: [{ group: '', versions: ['v1'], plural: 'secrets', kind: 'Secret' }],
  objectSelector: { matchLabels: { 'provider.shoot.gardener.cloud/aws': 'true' } },
  deleting: true,
  review: secretValidator(awsCredentials),
})
