/** The exports for authors of webhooks; described in docs/library.md. */
export {
  type LabelSelector,
  type Lookup,
  type ReviewedResource,
  type Reviewer,
  type ReviewOutcome,
  type ReviewRequest,
  refusedFor,
  type WebhookDefinition,
  type WebhookOptions,
} from '../../shared/webhooks/admission/admission.ts'
export { defineWebhook } from '../../shared/webhooks/admission/define-webhook.ts'
