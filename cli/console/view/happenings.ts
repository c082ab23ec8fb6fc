import { indexAt } from '../model/at-moment.ts'
import type { ShootHistory } from '../model/history.ts'

/** The times at which something happened to a shoot, in order and without duplicates. */
export const momentsOf = ({ steps, events, objects }: ShootHistory): readonly number[] =>
  [
    ...new Set([
      ...steps.map(({ at, ms }) => at + ms),
      ...events.map(({ at }) => at),
      ...objects.map(({ at }) => at),
    ]),
  ].sort((a, b) => a - b)

export const momentBefore = (moments: readonly number[], time: number): number | undefined =>
  moments[
    indexAt(
      moments.map(at => ({ at })),
      time - 1,
    )
  ]

export const momentAfter = (moments: readonly number[], time: number): number | undefined =>
  moments[
    indexAt(
      moments.map(at => ({ at })),
      time,
    ) + 1
  ]

/** How much happened in each of `count` equal parts of a span of time. */
export interface Density {
  readonly all: readonly number[]
  readonly failed: readonly number[]
}

export const densityOf = (
  steps: readonly { readonly at: number; readonly outcome: string }[],
  span: { readonly from: number; readonly to: number },
  count: number,
): Density => {
  const all = new Array<number>(count).fill(0)
  const failed = new Array<number>(count).fill(0)
  const width = Math.max(1, span.to - span.from) / count
  for (const { at, outcome } of steps) {
    const index = Math.min(count - 1, Math.max(0, Math.floor((at - span.from) / width)))
    all[index] = (all[index] ?? 0) + 1
    if (outcome === 'failed') failed[index] = (failed[index] ?? 0) + 1
  }
  return { all, failed }
}
