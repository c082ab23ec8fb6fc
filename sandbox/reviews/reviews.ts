/** Tests webhooks: sends AdmissionReviews to a definition as an API server does. */

export { lookupIn } from './lookup-in.ts'
export {
  type PatchStep,
  patched,
  type ReviewResult,
  reviewBody,
  type SendReviewOptions,
  type SentReview,
  sendReview,
  sendReviewAgain,
} from './send-review.ts'
