import type { ReviewOutcome } from '../../../../shared/webhooks/admission/admission.ts'

/** Refused for what is wrong; allowed where nothing is. */
export const refusedFor = (problems: readonly string[]): ReviewOutcome => {
  const [first, ...others] = problems
  return first === undefined ? {} : { refused: { problems: [first, ...others] } }
}
