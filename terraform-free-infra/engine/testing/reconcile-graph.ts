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

/** Returns an empty garden and its clock. */
export const setUp = (durations?: FakeDurations) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  return { clock, mine: gardener(clock, durations) }
}
type Mine = ReturnType<typeof setUp>['mine']

/** Returns the error of a step, or `no failure`. */
export const failureOf = async (step: Promise<unknown>): Promise<unknown> =>
  step.then(
    () => 'no failure',
    error => error,
  )

/** Returns the ids of all resources in the fake cloud. */
export const names = (mine: Mine): readonly string[] => mine.all().map(({ id }) => id)
