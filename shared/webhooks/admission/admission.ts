/**
 * Admission: the API server asks before it stores an object. Defines admission functions as data and answers their
 * reviews.
 */

export { answerReview, type ReviewAnswer } from './answer/answer-review.ts'
export { weighReview } from './answer/read-review.ts'
export { defineWebhook } from './define-webhook.ts'
export { fieldErrors, type ProblemsPlace } from './field-errors.ts'
export type { Lookup, Refusal, Reviewer, ReviewOperation, ReviewOutcome, ReviewRequest } from './review.ts'
export {
  isWebhookDefinition,
  type LabelSelector,
  type ReviewedResource,
  type WebhookDefinition,
  type WebhookOptions,
  type WebhookTarget,
  webhookTargets,
} from './webhook-definition.ts'

// Webhook registrations and permissions, derived from the definitions.

export {
  certificateNames,
  clusterProof,
  isClusterProof,
  readShootPath,
  serviceNameOf,
  shootConfigurationName,
  shootPath,
  webhookName,
  webhookPath,
} from './registration/names.ts'
export { type WebhookPermission, webhookPermissions } from './registration/permissions.ts'
export {
  componentsOf,
  configurationOfShoot,
  type RegistrationOptions,
  registrations,
  servicePort,
  serviceUrl,
  shootRegistrations,
  type WebhookConfiguration,
} from './registration/registrations.ts'
