import type { VirtualClock } from '../../shared/clock/virtual-clock.ts'
import { type Durations, gardenCloud, gardenFault } from './garden.testing.ts'
import { type GardenWish, gardenGraph, type Ours } from './garden-provider.testing.ts'
import type { State } from './state.ts'
import { planStep, runStep, type StepInput, type StepOutcome } from './step.ts'

const instant: Durations = { pendingMs: 0, goingMs: 0, unlistedMs: 0 }

/** A garden, the stored state, and steps on them as a process would make them. */
export const gardener = (clock: VirtualClock, durations: Durations = instant) => {
  const cloud = gardenCloud(clock, durations)
  const ours: Ours = { garden: cloud.garden, owner: 'me', now: () => clock.now() }
  const stored: { state: State; saves: number } = { state: {}, saves: 0 }
  let beforeSave: () => void = () => undefined

  const input = (wish: GardenWish, more: Partial<StepInput<Ours>> = {}): StepInput<Ours> => ({
    graph: gardenGraph(wish).graph,
    cloud: ours,
    state: stored.state,
    uid: 'uid-1',
    clock,
    signal: new AbortController().signal,
    guard: () => undefined,
    faultOf: gardenFault,
    save: async state => {
      beforeSave()
      stored.state = state
      stored.saves++
    },
    ...more,
  })
  const step = (wish: GardenWish, more?: Partial<StepInput<Ours>>): Promise<StepOutcome> =>
    runStep(input(wish, more))

  return {
    ...cloud,
    ours,
    stored,
    input,
    step,
    plan: (wish: GardenWish, more?: Partial<StepInput<Ours>>) => planStep(input(wish, more)),
    onSave: (callback: () => void) => {
      beforeSave = callback
    },
    /** Steps until the goal is reached, each when the last one asked for it; errors are tried again after 10 s. */
    until: async (
      wish: GardenWish,
      more: Partial<StepInput<Ours>> = {},
      limit = 60,
    ): Promise<StepOutcome> => {
      for (let count = 0; count < limit; count++) {
        const outcome = await step(wish, more).catch(() => undefined)
        if (outcome?.kind === 'converged') return outcome
        await clock.advance(outcome?.kind === 'continue' ? outcome.afterMs : 10_000)
      }
      throw new Error(`not there after ${limit} steps`)
    },
  }
}
