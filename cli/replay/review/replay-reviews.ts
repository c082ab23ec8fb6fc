import { findWebhooks } from '../../../functions/find-webhooks.ts'
import type { Provider } from '../../../sandbox/providers/provider.ts'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { findProject } from '../../project/find-project.ts'
import type { ReviewFile } from '../read-saved-file.ts'
import { chooseWebhooks, type ReviewTarget } from './choose-webhooks.ts'
import { playReview } from './play-review.ts'
import type { ReplayedReview } from './replayed-review.ts'
import { reviewJson, reviewText } from './review-output.ts'

export interface ReplayReviewsOptions {
  /** The name or the path of a webhook. */
  readonly function?: string
  readonly output: 'text' | 'json'
  readonly functionsRoot?: string
}

/**
 * Replays saved AdmissionReviews with their webhooks, and prints the answers. Returns true if all were allowed. Throws
 * a `UsageError` before the first review if any input is invalid.
 *
 * @param beside the objects that webhooks may look up
 */
export const replayReviews = async (
  files: readonly ReviewFile[],
  beside: readonly KubernetesObject[],
  options: ReplayReviewsOptions,
  {
    providers,
    write,
    color,
  }: {
    readonly providers: readonly Provider[]
    readonly write: (text: string) => void
    readonly color: boolean
  },
): Promise<boolean> => {
  const all = await findWebhooks(options.functionsRoot ?? (await findProject(process.cwd())).functions)
  const plays = files.flatMap(({ file, reviews }) =>
    reviews.map((_, index) => {
      const where = `review ${index + 1}`
      const saved = { file, where, value: reviews[index]?.value }
      const at = `${file}: ${where}`
      return { saved, webhooks: chooseWebhooks(all, targetOf(saved.value, at), options.function, at) }
    }),
  )
  const replayed: ReplayedReview[] = []
  for (const { saved, webhooks } of plays)
    for (const webhook of webhooks) {
      const result = await playReview(saved, webhook, beside, providers)
      if (options.output === 'text') write(`${replayed.length > 0 ? '\n' : ''}${reviewText(result, color)}`)
      replayed.push(result)
    }
  if (options.output === 'json') write(`${JSON.stringify(replayed.map(reviewJson), null, 2)}\n`)
  return replayed.every(({ allowed }) => allowed)
}

const targetOf = (value: unknown, where: string): ReviewTarget => {
  const { resource, subResource, operation, object } = Object(Object(value).request)
  const { group = '', resource: plural } = Object(resource)
  if (typeof plural !== 'string' || typeof group !== 'string')
    throw new UsageError(`${where}: request.resource: expected group, version and resource`)
  return {
    group,
    resource: typeof subResource === 'string' && subResource !== '' ? `${plural}/${subResource}` : plural,
    operation: String(operation),
    labels: Object(Object(Object(object).metadata).labels),
  }
}
