import { definition as mutator } from '../../functions/aws/webhooks/mutator/webhook.ts'
import { definition as secretsValidator } from '../../functions/aws/webhooks/secrets-validator/webhook.ts'
import { definition as validator } from '../../functions/aws/webhooks/validator/webhook.ts'
import type { WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'

/** The admission function for each file of recordings, `admission/<name>.json`. */
export const recordedFiles: Readonly<Record<string, WebhookDefinition>> = {
  shoot: validator,
  cloudprofile: validator,
  namespacedcloudprofile: validator,
  bindings: validator,
  'seed-backupbucket': validator,
  secret: secretsValidator,
  handler: validator,
  'mutate.shoot': mutator,
  'mutate.cloudprofile': mutator,
  'mutate.namespacedcloudprofile': mutator,
}
