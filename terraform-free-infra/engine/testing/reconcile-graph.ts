import { virtualClock } from '../../../shared/clock/clock.ts'
import type { FakeDurations } from './fake-cloud.ts'
import type { DesiredFakes } from './fake-provider.ts'
import { gardener } from './gardener.ts'

/** A plot with two beds and a path between them. */
export const desired: DesiredFakes = {
  climate: 'mild',
  beds: { a: 'clay', b: 'loam' },
  paths: [['a', 'b']],
}

/** An empty garden, and the clock it lives by. */
export const setUp = (durations?: FakeDurations) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  return { clock, mine: gardener(clock, durations) }
}
type Mine = ReturnType<typeof setUp>['mine']

/** What a step fails with, or `no failure`. */
export const failureOf = async (step: Promise<unknown>): Promise<unknown> =>
  step.then(
    () => 'no failure',
    error => error,
  )

/** The ids of all that is in the fake cloud. */
export const names = (mine: Mine): readonly string[] => mine.all().map(({ id }) => id)
