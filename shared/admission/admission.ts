/** What an API server asks before it stores an object: admission functions as data, and how their reviews are answered. */

export { answerReview, type ReviewAnswer } from './answer/answer-review.ts'
export { defineWebhook } from './define-webhook.ts'
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
