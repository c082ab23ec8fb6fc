import { CodedError } from '../../contract/errors.ts'
import type { StepContext, StepResult } from '../../lifecycle/lifecycle.ts'
import type { ResourceWait } from './resource-wait.ts'

/** A wait for ManagedResources that may span several steps. */
export interface ResourceWaiting {
  /** A short name, unique among the waits of the kind. The next step uses it to find the wait's start. */
  readonly name: string
  /** The action, for errors: `could not wait for shoot webhooks to be healthy`. */
  readonly doing: string
  /** Limit in milliseconds since the end of the first step that waited. */
  readonly longestMs: number
  /** 1 to 99, during the wait. */
  readonly progress: number
}

/** Limit of the deletion of ManagedResources, in milliseconds (docs/contract/managed-resources.md#waits). */
export const longestDeletionMs = 2 * 60_000

/** Limit until they are healthy, in milliseconds: the same as for an attempt of a ControlPlane. */
export const longestCreationMs = 3 * 60_000

/** Delay until the next step if no change of a ManagedResource starts it earlier, in milliseconds. */
const nextStepAfterMs = 10_000

/**
 * Ends the step while a wait is not over, so that the next one continues it. Returns undefined if all are over. Throws
 * when the wait exceeds its limit, with the resource manager's reason and its codes.
 *
 * @example
 * const key = { namespace, name: 'extension-acme' }
 * const waits = [healthyWait(key, await readManagedResource(kubernetes, key))]
 * const waiting = { name: 'acme', doing: 'healthy', longestMs: longestCreationMs, progress: 50 } as const
 * return waitForResources(step, waiting, waits) ?? done()
 */
export const waitForResources = (
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
