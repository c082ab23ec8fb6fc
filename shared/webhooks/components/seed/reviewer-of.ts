import type * as z from 'zod'
import { formatProblems, problemsOf } from '../../../contract/problems.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { Lookup, Reviewer, ReviewOutcome, ReviewRequest } from '../../admission/admission.ts'

/** A review whose objects are what their schema says; what the schema does not know is still in them. */
export interface ReviewOf<T> extends Omit<ReviewRequest, 'object' | 'oldObject'> {
  readonly object: KubernetesObject & T
  readonly oldObject?: KubernetesObject & T
}

/**
 * A reviewer of objects of one kind. An object that is not what the schema says is refused with code 400, in words that say
 * which field, and nothing of what stands in it (docs/contract/webhooks.md#answers).
 */
export const reviewerOf =
  <S extends z.ZodObject, Settings = Readonly<Record<string, unknown>>>(
    schema: S,
    review: (
      request: ReviewOf<z.output<S>>,
      lookup: Lookup,
      settings: Settings,
    ) => ReviewOutcome | Promise<ReviewOutcome>,
  ): Reviewer<Settings> =>
  (request, lookup, settings) => {
    for (const object of [request.object, request.oldObject]) {
      const { error } = object === undefined ? {} : schema.safeParse(object)
      if (error !== undefined) {
        const problem = `could not decode the object: ${formatProblems(problemsOf(error.issues, object))}`
        return { refused: { problems: [problem], code: 400 } }
      }
    }
    // No such schema transforms anything, so the objects are of its output type.
    return review(request as ReviewOf<z.output<S>>, lookup, settings)
  }
