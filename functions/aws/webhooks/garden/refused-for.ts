import type { ReviewOutcome } from '../../../../shared/webhooks/admission/admission.ts'

/** Refuses if there are problems; otherwise allows. */
export const refusedFor = (problems: readonly string[]): ReviewOutcome => {
  const [first, ...others] = problems
  return first === undefined ? {} : { refused: { problems: [first, ...others] } }
}
