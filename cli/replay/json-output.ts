import { detailsOf } from '../narration/call-details.ts'
import { objectDiff } from './object-diff.ts'
import { type ReplayedEvent, wentWell } from './replayed-event.ts'

/** What a replay prints of one event, for programs. */
export const jsonOf = (replayed: ReplayedEvent): object => {
  const { event, before, after, aws } = replayed
  const { data: _, ...attributes } = event
  return {
    file: replayed.file,
    event: attributes,
    function: replayed.function,
    outcome: replayed.outcome,
    ok: wentWell(replayed),
    object: { before, after, gone: replayed.gone, diff: objectDiff(before, after) },
    assumed: replayed.assumed,
    omitted: replayed.omitted,
    kubernetes: replayed.kubernetes,
    aws: {
      reads: aws.reads,
      writes: aws.writes.map(call => ({
        ...call,
        sentence: `${call.service} ${call.action}${detailsOf(call)}`,
      })),
    },
  }
}
