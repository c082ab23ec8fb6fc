import { detailsOf } from '../narration/aws-call.ts'
import { objectDiff } from './object-diff.ts'
import { type Played, wentWell } from './played.ts'

/** What a replay prints of one event, for programs. */
export const jsonOf = (played: Played): object => {
  const { event, before, after, aws } = played
  const { data: _, ...attributes } = event
  return {
    file: played.file,
    event: attributes,
    function: played.function,
    outcome: played.outcome,
    ok: wentWell(played),
    object: { before, after, gone: played.gone, diff: objectDiff(before, after) },
    assumed: played.assumed,
    omitted: played.omitted,
    kubernetes: played.kubernetes,
    aws: {
      reads: aws.reads,
      writes: aws.writes.map(call => ({
        ...call,
        sentence: `${call.service} ${call.action}${detailsOf(call)}`,
      })),
    },
  }
}
