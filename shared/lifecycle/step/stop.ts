import { kinds } from '../../contract/kinds.ts'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import type { ObjectKey } from '../../kubernetes/port.ts'
import { defaultStepLimits } from '../backend.ts'
import { backoffMs } from '../decide/backoff.ts'
import type { Dispatch } from '../decide/dispatch.ts'
import type { Facts } from '../decide/facts.ts'
import { openRequest } from '../decide/request.ts'
import { runningStep, stopChanges, stopPatch, waitingStep } from './claim.ts'
import { locked } from './locked.ts'
import { type Recorded, recorded, type StepDeps, type StepEvent, type StepOutcome } from './step.ts'

/** What a step has worked out before it does anything. */
export interface DecidedStep {
  readonly event: StepEvent
  readonly key: ObjectKey
  readonly facts: Facts
  readonly branch: Extract<Dispatch, { kind: 'run' }>
}

/** Ends an attempt that has nothing to do: consumes the annotation, and whatever was waited for. */
export const stop = async (
  deps: StepDeps,
  key: ObjectKey,
  facts: Facts,
  why: Recorded,
): Promise<StepOutcome | 'decide-again'> => {
  if (!stopChanges(facts)) return recorded(why)
  return locked(
    async () => {
      await deps.kubernetes.patch(kinds[deps.backend.kind].resource, key, stopPatch(facts, undefined))
    },
    () => recorded(why),
  )
}

/**
 * No status says that the Cluster is missing (docs/contract/lifecycle.md#reading-the-cluster); the next attempt is
 * ordered all the same.
 */
export const waitForCluster = async (
  deps: StepDeps,
  { event, key, facts, branch, error }: DecidedStep & { readonly error: Error },
): Promise<StepOutcome | 'decide-again'> => {
  const { backend, clock, log } = deps
  const step: StepAnnotation = runningStep({
    facts,
    operation: branch.operation,
    request: openRequest(backend.kind, facts),
    eventId: event.id,
    now: clock.now(),
    limits: deps.limits ?? defaultStepLimits,
    forced: false,
    addFinalizer: undefined,
  })
  const attempt = step.attempt + 1
  const wait = waitingStep(step, clock.now(), backoffMs(attempt), attempt)
  log.warn('cluster cannot be read, the step waits', { ...key, attempt, error: error.message })
  return locked(
    async () => {
      await deps.kubernetes.patch(kinds[backend.kind].resource, key, stopPatch(facts, wait))
    },
    () => recorded('waits'),
  )
}
