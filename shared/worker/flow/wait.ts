import type { Worker } from '../../contract/objects.ts'
import { pauseAfter, type StepContext, type StepResult } from '../../lifecycle/lifecycle.ts'
import { whileDoing } from '../problems.ts'
import type { WaitState } from '../waits/wait-state.ts'

/** Maximum duration of each wait, in ms (docs/contract/workers.md#waits). */
const longestWaitMs = 5 * 60_000

/** Delay until the next step of a wait, in ms, if no change of a MachineDeployment wakes it earlier. */
const nextStepAfterMs = 10_000

/** The name of a wait. By it the next step knows when the wait started. */
export type WaitName =
  | 'machine deployments'
  | 'unwanted machine deployments'
  | 'machine classes'
  | 'credentials acquired'
  | 'machine objects'
  | 'machine objects without deployments'
  | 'credentials released'

interface WorkerWait {
  /** The current action, for errors. */
  readonly doing: string
  /** The range of the step's progress during the wait. */
  readonly progress: readonly [from: number, to: number]
  /** No MachineDeployment changes at its end, so the next step runs soon. Absent: a change wakes the step. */
  readonly endsSilently?: true
}

const deletingObjects = 'failed while waiting for all machine resources to be deleted'

const waits: Readonly<Record<WaitName, WorkerWait>> = {
  'machine deployments': {
    doing: 'failed while waiting for all machine deployments to be ready',
    progress: [30, 90],
  },
  'unwanted machine deployments': {
    doing: 'error while waiting for all undesired machine deployments to be deleted',
    progress: [90, 99],
  },
  'machine classes': {
    doing: 'failed while waiting for machine classes that are created again',
    progress: [90, 99],
    endsSilently: true,
  },
  'credentials acquired': {
    doing: 'failed while waiting for the machine class credentials secret to be acquired',
    progress: [10, 20],
    endsSilently: true,
  },
  'machine objects': { doing: deletingObjects, progress: [20, 90] },
  'machine objects without deployments': { doing: deletingObjects, progress: [80, 90], endsSilently: true },
  'credentials released': {
    doing: 'failed while waiting for the machine class credentials secret to be released',
    progress: [90, 99],
    endsSilently: true,
  },
}

/**
 * Ends the step if a state has not been reached, and the next step continues the wait. Returns undefined if it has been
 * reached. Throws if waiting is useless, or if the wait has taken too long since its first step.
 */
export const waitFor = (
  { waited, clock }: Pick<StepContext<Worker>, 'waited' | 'clock'>,
  name: WaitName,
  wait: WaitState,
): StepResult | undefined => {
  const {
    doing,
    progress: [from, to],
    endsSilently = wait.kind === 'waiting' && wait.endsSilently,
  } = waits[name]
  switch (wait.kind) {
    case 'over':
      return undefined
    case 'failed':
      throw whileDoing(doing, wait.error)
    case 'waiting': {
      const { message, share } = wait
      const lasts = waited?.for === name ? clock.now() - waited.since : 0
      if (lasts >= longestWaitMs)
        throw whileDoing(doing, `retry failed with context deadline exceeded, last error: ${message}`)
      return {
        kind: 'continue',
        afterMs: endsSilently ? pauseAfter(lasts) : nextStepAfterMs,
        progress: Math.floor(from + (to - from) * share),
        description: message,
        waitsFor: name,
      }
    }
  }
}
