import type { FoundWebhook } from '../../../functions/find-webhooks.ts'
import { matchesSelector } from '../../../sandbox/kubernetes/kubernetes.ts'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { nearestName } from '../../../shared/text/nearest-name.ts'
import { webhookName, webhookPath } from '../../../shared/webhooks/admission/admission.ts'

/** The part of a review that selects the webhooks. */
export interface ReviewTarget {
  readonly group: string
  /** The plural, with its subresource: `shoots/status`. */
  readonly resource: string
  readonly operation: string
  readonly labels: Readonly<Record<string, string>>
}

/**
 * Returns the webhooks that an API server would call, as far as the review shows: by resource, operation and the labels
 * of the object, in any namespace. Or the one with the given name or path. Throws a `UsageError` with similar names if
 * there is none; `where` identifies the review and its file.
 */
export const chooseWebhooks = (
  all: readonly FoundWebhook[],
  target: ReviewTarget,
  named: string | undefined,
  where: string,
): readonly FoundWebhook[] => {
  if (named !== undefined) return [webhookNamed(all, named)]
  const ofResource = all.filter(({ resources }) =>
    resources.some(
      ({ group, plural, operations }) =>
        group === target.group &&
        plural === target.resource &&
        (operations?.some(operation => operation === target.operation) ?? true),
    ),
  )
  const fitting = ofResource.filter(({ objectSelector }) =>
    matchesSelector({ ...objectSelector }, target.labels),
  )
  if (fitting.length > 0) return fitting
  const what = target.group === '' ? target.resource : `${target.resource}.${target.group}`
  if (ofResource.length > 0)
    throw new UsageError(
      `${where}: no webhook matches the labels; webhooks for ${what}: ${namesOf(ofResource)}. Choose one with --function`,
    )
  const known = all.flatMap(({ resources }) => resources.map(({ plural }) => plural))
  const near = nearestName(target.resource, known)
  throw new UsageError(
    `${where}: no webhook reviews ${what}${near === undefined || near === target.resource ? `; known: ${[...new Set(known)].toSorted().join(', ')}` : `. Did you mean ${near}?`}`,
  )
}

/** `aws/controlplane` */
export const shortPath = (webhook: FoundWebhook): string => webhookPath(webhook).slice(1)

const webhookNamed = (all: readonly FoundWebhook[], named: string): FoundWebhook => {
  const found = all.find(one => webhookName(one) === named || shortPath(one) === named.replace(/^\//, ''))
  if (found !== undefined) return found
  const near = nearestName(named, [...all.map(shortPath), ...all.map(webhookName)])
  throw new UsageError(
    `unknown webhook ${named}${near === undefined ? `; known webhooks: ${namesOf(all)}` : `. Did you mean ${near}?`}`,
  )
}

const namesOf = (webhooks: readonly FoundWebhook[]): string => webhooks.map(shortPath).join(', ')
