import { ClaimLostError } from '../../contract/errors.ts'
import { kinds } from '../../contract/kinds.ts'
import type { ObjectKey } from '../../kubernetes/port.ts'
import { dispatch } from '../decide/dispatch.ts'
import { dueWorkOf } from '../decide/due-work.ts'
import { factsOf } from '../decide/facts.ts'
import { ownFinalizer } from '../decide/finalizer.ts'
import { isForced } from '../decide/forced.ts'
import { act } from './act.ts'
import { clusterOf } from './cluster-of.ts'
import { isResponsibleFor, mayRun } from './predicates.ts'
import { recorded, type StepDeps, type StepEvent, type StepOutcome } from './step.ts'
import { stop, waitForCluster } from './stop.ts'

/** How often a step decides anew after somebody else changed the object under its claim. */
const claimTries = 8

/**
 * Runs one step for the object that an event names: read, decide, claim, act, write down
 * (docs/contract/lifecycle.md#a-whole-attempt; docs/architecture.md#step-annotation). Never throws.
 *
 * @param signal aborts when the process must end at once
 */
export const runStep = async (
  deps: StepDeps,
  event: StepEvent,
  signal: AbortSignal,
): Promise<StepOutcome> => {
  try {
    for (let tries = 1; ; tries++) {
      const outcome = await tryStep(deps, event, signal)
      if (outcome !== 'decide-again') return outcome
      if (tries === claimTries) return { kind: 'busy', retryAfterSeconds: 1 }
    }
  } catch (error) {
    if (error instanceof ClaimLostError) return recorded('superseded')
    return { kind: 'unrecorded', reason: error instanceof Error ? error.message : String(error) }
  }
}

const tryStep = async (
  deps: StepDeps,
  event: StepEvent,
  signal: AbortSignal,
): Promise<StepOutcome | 'decide-again'> => {
  const { kubernetes, clock, backend } = deps
  const { resource } = kinds[backend.kind]
  const key: ObjectKey =
    event.namespace === undefined ? { name: event.name } : { name: event.name, namespace: event.namespace }
  const object = await kubernetes.get(resource, key, { signal })
  if (object === undefined) return recorded('gone')
  const facts = factsOf(object)
  if (!isResponsibleFor(backend, facts)) return recorded('not-ours')

  const due = dueWorkOf(backend.kind, facts, clock.now())
  const admission = mayRun(due, facts, event, clock.now())
  if (admission !== 'run') return admission

  const branch = dispatch(backend.kind, facts, ownFinalizer(backend))
  if (branch.kind === 'stop') return stop(deps, key, facts, branch.why)

  const cluster = await clusterOf(kubernetes, backend.kind, object, signal)
  switch (cluster.kind) {
    case 'failed-shoot':
      return stop(deps, key, facts, 'shoot-failed')
    case 'unreadable':
      if (branch.operation === 'delete' && (cluster.forced || isForced(backend.kind, object, undefined))) {
        return act(deps, { event, key, object, facts, branch, cluster: undefined, forced: true, signal })
      }
      return waitForCluster(deps, { event, key, facts, branch, error: cluster.error })
    case 'none':
    case 'found': {
      const found = cluster.kind === 'found' ? cluster.cluster : undefined
      const forced = branch.operation === 'delete' && isForced(backend.kind, object, found)
      return act(deps, { event, key, object, facts, branch, cluster: found, forced, signal })
    }
  }
}
