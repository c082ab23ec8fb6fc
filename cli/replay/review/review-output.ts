import { createColors } from 'picocolors'
import { objectDiff } from '../../../sandbox/plan-texts/object-diff.ts'
import { printable } from '../../../shared/text/printable.ts'
import { diffLines } from '../diff-lines.ts'
import type { ReplayedReview } from './replayed-review.ts'

/** Formats the result of one review for users. Ends with a line break. */
export const reviewText = (replayed: ReplayedReview, color: boolean): string => {
  const { file, about, webhook, path, assumed, warnings, before, after } = replayed
  const paint = createColors(color)
  const name = about.namespace === undefined ? about.name : `${about.namespace}/${about.name}`
  const lines = [
    paint.bold(printable(`${file}: ${about.operation} ${about.kind} ${name}`)),
    `webhook     ${printable(`${webhook} (${path})`)}`,
    `outcome     ${printable(outcomeOf(replayed))}`,
    ...warnings.map(warning => `warning     ${printable(warning)}`),
    ...(assumed ? ['note        the Cluster is generated; use --cluster to provide one'] : []),
    ...diffLines(before, after, paint),
  ]
  return `${lines.join('\n')}\n`
}

const outcomeOf = ({ allowed, code, message = '', patch }: ReplayedReview): string => {
  if (!allowed) return `denied (${code}): ${message}`
  return patch.length === 0 ? 'allowed without changes' : 'allowed with changes'
}

/** Formats the result of one review for programs. */
export const reviewJson = ({
  file,
  webhook,
  path,
  about,
  assumed,
  before,
  after,
  patch,
  ...outcome
}: ReplayedReview): object => ({
  file,
  review: about,
  webhook,
  path,
  outcome,
  ok: outcome.allowed,
  assumed,
  patch,
  object: { before, after, diff: objectDiff(before, after) },
})
