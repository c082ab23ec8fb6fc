import type { ShootHistory, StepBar } from '../model/history.ts'

export type Span = readonly [from: number, to: number]

/** The shortest visible span, in ms. */
const shortest = 20
/** The part of the past that is visible first, at most, in ms. */
const recent = 30 * 60_000
/** Steps that are closer than this belong together, in ms. */
const pause = 5 * 60_000

/**
 * Returns the part of the timeline that is visible first: the last steps before the moment that belong together,
 * because an operator asks about the last change.
 */
export const timelineSpan = (
  history: Pick<ShootHistory, 'steps' | 'objects'> | undefined,
  { now, moment }: { readonly now: number; readonly moment: number },
): Span => {
  const earlier = (history?.steps ?? []).filter(({ at }) => at <= moment)
  let from = earlier.at(-1)?.at ?? history?.objects[0]?.at ?? moment
  for (const { at } of earlier.toReversed()) {
    if (from - at > pause) break
    from = Math.min(from, at)
  }
  from = Math.min(Math.max(from, moment - recent), moment - 1000)
  const to = Math.max(Math.min(now, moment + (moment - from) / 2), moment)
  const margin = Math.max(1000, (to - from) * 0.04)
  // Room for the announced step on the right.
  return [from - margin, to + margin * 4]
}

/** Returns a span that is `factor` as long, with the same time at the pointer. */
export const zoomed = ([from, to]: Span, factor: number, center: number): Span => {
  const length = Math.max(shortest, (to - from) * factor)
  const part = (center - from) / Math.max(1, to - from)
  return [center - part * length, center + (1 - part) * length]
}

/** Returns the step at a time, or the nearest one within the tolerance. */
export const stepAt = (steps: readonly StepBar[], time: number, tolerance: number): StepBar | undefined => {
  const distance = ({ at, ms }: StepBar) => Math.max(at - time, time - at - ms, 0)
  let nearest: StepBar | undefined
  for (const step of steps)
    if (distance(step) <= tolerance && (nearest === undefined || distance(step) < distance(nearest)))
      nearest = step
  return nearest
}
