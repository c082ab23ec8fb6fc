import { objectDiff } from '../../sandbox/plan-texts/object-diff.ts'
import { type ReplayedEvent, wentWell } from './replayed-event.ts'

export const jsonOutputOf = (replayed: ReplayedEvent): object => {
  const { event, before, after, cloud } = replayed
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
    ...(replayed.recorded && { recorded: replayed.recorded }),
    kubernetes: replayed.kubernetes,
    ...(replayed.requests && { http: replayed.requests }),
    ...(cloud && {
      [cloud.name]: {
        reads: cloud.reads,
        writes: cloud.writes.map(({ service, action, input, about, error }) => ({
          service,
          action,
          input,
          ...(error !== undefined && { error }),
          sentence: `${service} ${action}${about}`,
        })),
      },
    }),
  }
}
