import type { Worker } from '../../contract/objects.ts'
import type { StepContext, StepResult } from '../../lifecycle/lifecycle.ts'
import { whileDoing } from '../problems.ts'

/** How long each wait may last, in ms (docs/contract/workers.md#waits). */
export const longestWaitMs = 5 * 60_000

/** When a waiting step goes on though no change of a MachineDeployment has woken it, in ms. */
export const nextStepAfterMs = 10_000

/** Each wait has its name, by which the next step knows since when it lasts. */
export type WaitName =
  | 'machine deployments'
  | 'unwanted machine deployments'
  | 'credentials acquired'
  | 'machine objects'
  | 'credentials released'

export interface Waiting {
  readonly for: WaitName
  /** What was being done, for the error. */
  readonly doing: string
  /** What is not yet so. */
  readonly description: string
  readonly progress: number
}

/** Ends the step until the next one; throws when the wait has lasted too long. */
export const keepWaiting = (
  { waited, clock }: Pick<StepContext<Worker>, 'waited' | 'clock'>,
  { for: name, doing, description, progress }: Waiting,
): StepResult => {
  const lasts = waited?.for === name ? clock.now() - waited.since : 0
  if (lasts >= longestWaitMs) {
    throw whileDoing(doing, `retry failed with context deadline exceeded, last error: ${description}`)
  }
  const afterMs = Math.min(nextStepAfterMs, longestWaitMs - lasts)
  return {
    kind: 'continue',
    afterMs,
    progress: Math.min(Math.max(Math.round(progress), 1), 99),
    description,
    waitsFor: name,
  }
}
