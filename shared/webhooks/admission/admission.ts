/**
 * Admission: the API server asks before it stores an object. Defines admission functions as data and answers their
 * reviews.
 */

export { answerReview, type ReviewAnswer } from './answer/answer-review.ts'
export { defineWebhook } from './define-webhook.ts'
export { fieldErrors } from './field-errors.ts'
export { type Lookup, type Reviewer, type ReviewOutcome, type ReviewRequest, refusedFor } from './review.ts'
export {
  isWebhookDefinition,
  type LabelSelector,
  type ReviewedResource,
  type WebhookDefinition,
  type WebhookOptions,
} from './webhook-definition.ts'

// Webhook registrations and permissions, derived from the definitions.

export {
  certificateNames,
  clusterProof,
  configurationName,
  isClusterProof,
  readShootPath,
  serviceNameOf,
  shootConfigurationName,
  shootPath,
  webhookName,
  webhookPath,
} from './registration/names.ts'
export { webhookPermissions } from './registration/permissions.ts'
export {
  componentsOf,
  configurationOfShoot,
  registrations,
  servicePort,
  serviceUrl,
  shootRegistrations,
  type WebhookConfiguration,
} from './registration/registrations.ts'
