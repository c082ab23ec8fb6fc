import { CodedError } from '../../contract/errors.ts'
import type { StepContext, StepResult } from '../../lifecycle/lifecycle.ts'
import type { ResourceWait } from './resource-wait.ts'

/** A wait for ManagedResources that may go over several steps. */
export interface ResourceWaiting {
  /** A short name, of no other wait of the kind: by it the next step knows since when. */
  readonly name: string
  /** What was being done, for errors: `could not wait for shoot webhooks to be healthy`. */
  readonly doing: string
  /** How long it may last, in ms, since the end of the first step that waited. */
  readonly longestMs: number
  /** 1 to 99, while it lasts. */
  readonly progress: number
}

/** How long ManagedResources may take to go, in ms (docs/contract/managed-resources.md#waits). */
export const longestDeletionMs = 2 * 60_000

/** How long they may take to become healthy, in ms: as long as an attempt of a ControlPlane. */
export const longestCreationMs = 3 * 60_000

/** When a waiting step goes on though no change of a ManagedResource has woken it, in ms. */
const nextStepAfterMs = 10_000

/**
 * Ends the step while something has yet to become so, and the next one goes on with it; undefined: all of it is so. Throws
 * when the wait has lasted too long, with the reason that the resource manager gives and the codes that it earns.
 */
export const settleResources = (
  { waited, clock }: Pick<StepContext, 'waited' | 'clock'>,
  { name, doing, longestMs, progress }: ResourceWaiting,
  waits: readonly ResourceWait[],
): StepResult | undefined => {
  const waiting = waits.find(wait => wait.kind === 'waiting')
  if (waiting === undefined) return undefined
  const { message, failure, codes } = waiting
  const lasts = waited?.for === name ? clock.now() - waited.since : 0
  if (lasts >= longestMs) {
    const failed = failure === undefined ? doing : `${doing}: ${failure}`
    throw new CodedError(`${failed}: retry failed with context deadline exceeded, last error: ${message}`, {
      codes,
    })
  }
  return {
    kind: 'continue',
    afterMs: Math.min(nextStepAfterMs, longestMs - lasts),
    progress,
    description: message,
    waitsFor: name,
  }
}
