import type { VirtualClock } from '../../../shared/clock/clock.ts'
import { planGraph, type ReconcileInput, type ReconcileOutcome, reconcileGraph } from '../reconcile-graph.ts'
import type { State } from '../state.ts'
import { type FakeDurations, type FakeSight, fakeCloud, fakeErrorKind } from './fake-cloud.ts'
import { type DesiredFakes, fakeGraph, type Ours } from './fake-provider.ts'

const instant: FakeDurations = { pendingMs: 0, goingMs: 0, unlistedMs: 0 }

/** Returns a garden with its stored state and runs steps on it, as a process does. */
export const gardener = (clock: VirtualClock, durations: FakeDurations = instant, sight?: FakeSight) => {
  const cloud = fakeCloud(clock, durations, sight)
  const ours: Ours = { fake: cloud.fake, owner: 'me', now: () => clock.now() }
  const stored: { state: State; saves: number } = { state: {}, saves: 0 }
  let beforeSave: () => void = () => undefined

  const input = (desired: DesiredFakes, more: Partial<ReconcileInput<Ours>> = {}): ReconcileInput<Ours> => ({
    graph: fakeGraph(desired).graph,
    cloud: ours,
    state: stored.state,
    uid: 'uid-1',
    clock,
    signal: new AbortController().signal,
    throwIfExpired: () => undefined,
    errorKindOf: fakeErrorKind,
    save: async state => {
      beforeSave()
      stored.state = state
      stored.saves++
    },
    ...more,
  })
  const step = (desired: DesiredFakes, more?: Partial<ReconcileInput<Ours>>): Promise<ReconcileOutcome> =>
    reconcileGraph(input(desired, more))

  return {
    ...cloud,
    ours,
    stored,
    input,
    step,
    plan: (desired: DesiredFakes, more?: Partial<ReconcileInput<Ours>>) => planGraph(input(desired, more)),
    onSave: (callback: () => void) => {
      beforeSave = callback
    },
    /**
     * Runs steps until the goal is reached, each at the time that the last one requested. Retries errors after 10 s.
     */
    until: async (
      desired: DesiredFakes,
      more: Partial<ReconcileInput<Ours>> = {},
      limit = 60,
    ): Promise<ReconcileOutcome> => {
      for (let count = 0; count < limit; count++) {
        const outcome = await step(desired, more).catch(() => undefined)
        if (outcome?.kind === 'converged') return outcome
        await clock.advance(outcome?.kind === 'continue' ? outcome.afterMs : 10_000)
      }
      throw new Error(`not there after ${limit} steps`)
    },
  }
}
