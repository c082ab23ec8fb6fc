import type * as z from 'zod'
import { formatProblems, problemsOf } from '../../../decode/problems.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { Lookup, Reviewer, ReviewOutcome, ReviewRequest } from '../../admission/admission.ts'

/** A review of objects that match their schema. Unknown fields are retained. */
export interface ReviewOf<T> extends Omit<ReviewRequest, 'object' | 'oldObject'> {
  readonly object: KubernetesObject & T
  readonly oldObject?: KubernetesObject & T
}

/**
 * Creates a reviewer of objects of one kind. An object that does not match the schema is refused with code 400 and a
 * message that names the field, but not its content (docs/contract/webhooks.md#answers).
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
    // These schemas transform nothing, so the objects have the output type.
    return review(request as ReviewOf<z.output<S>>, lookup, settings)
  }
