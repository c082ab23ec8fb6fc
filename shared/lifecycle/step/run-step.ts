import { ClaimLostError } from '../../contract/errors.ts'
import { kinds } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import {
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
  refusalAdvice,
} from '../../kubernetes/kubernetes.ts'
import { messageOf } from '../../text/message-of.ts'
import {
  defaultStepLimits,
  type Recorded,
  type StepDeps,
  type StepEvent,
  type StepOutcome,
} from '../backend.ts'
import {
  claimPatch,
  type Dispatch,
  dispatch,
  finalizerToAdd,
  isForced,
  mostForcedTries,
  ownFinalizer,
  stopChanges,
  stopPatch,
} from '../decide/claim.ts'
import { dueWorkOf, isResponsibleFor, mayRun } from '../decide/due-work.ts'
import { type Facts, factsOf, isResumed, openRequest } from '../decide/facts.ts'
import { checkObject, clusterOf, type ObjectCheck } from './preconditions.ts'
import { runClaimedStep } from './run-claimed-step.ts'

/** Maximum decisions of a step after concurrent changes of the object before its claim. */
const claimTries = 8

/**
 * Runs one step for the object of an event: read, decide, claim, act, write the outcome
 * (docs/contract/lifecycle.md#one-attempt; docs/architecture.md#step-annotation). Never throws.
 *
 * @param signal aborts when the process must end: nothing more is claimed, and an existing claim is released
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
    const advice = refusalAdvice(error)
    return { kind: 'unrecorded', reason: messageOf(error), ...(advice !== undefined && { advice }) }
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

  const branch = dispatch(backend.kind, facts, ownFinalizer(backend, facts))
  if (branch.kind === 'stop') return stop(deps, key, facts, branch.why)

  const cluster = await clusterOf(kubernetes, backend.kind, object, signal)
  switch (cluster.kind) {
    case 'failed-shoot':
      return stop(deps, key, facts, 'shoot-failed')
    case 'unreadable': {
      const forced =
        branch.operation === 'delete' && (cluster.forced || isForced(backend.kind, object, undefined))
      const problem = forced ? undefined : cluster.error
      return act(deps, { event, key, object, facts, branch, cluster: undefined, problem, forced, signal })
    }
    case 'none':
    case 'found': {
      const found = cluster.kind === 'found' ? cluster.cluster : undefined
      const forced = branch.operation === 'delete' && isForced(backend.kind, object, found)
      return act(deps, { event, key, object, facts, branch, cluster: found, forced, signal })
    }
  }
}

interface Act extends DecidedStep {
  readonly object: KubernetesObject
  readonly cluster: Cluster | undefined
  /** The reason to end the attempt before its actuator runs. Undefined: the step checks the object and its Secret. */
  readonly problem?: Error | undefined
  /** A delete that leaves external resources behind. */
  readonly forced: boolean
  readonly signal: AbortSignal
}

/** Claims the object and runs the attempt. */
const act = async (deps: StepDeps, input: Act): Promise<StepOutcome | 'decide-again'> => {
  const { backend, clock, kubernetes } = deps
  const limits = deps.limits ?? defaultStepLimits
  const { facts, branch, key, event, forced } = input
  // A forced delete checks nothing, so that nothing can block it.
  const checked: ObjectCheck =
    forced || input.problem !== undefined
      ? { secret: undefined, problem: input.problem }
      : await checkObject(deps, input.object, branch.operation, input.signal)
  const request = openRequest(backend.kind, facts)
  const { patch, step } = claimPatch({
    facts,
    operation: branch.operation,
    request,
    eventId: event.id,
    now: clock.now(),
    limits,
    forced,
    // If nothing can be created and nothing was created, nothing must be deleted later.
    addFinalizer:
      checked.problem === undefined || mayBeMade(branch, input.object)
        ? finalizerToAdd(backend, facts, branch.operation)
        : undefined,
  })
  const claimedAt = clock.now()
  return locked(
    () => {
      input.signal.throwIfAborted()
      // The sent claim is always awaited: an unknown claim could not be released.
      return kubernetes.patch(kinds[backend.kind].resource, key, patch)
    },
    async claimed =>
      recorded(
        await runClaimedStep(deps, {
          claimed,
          key,
          branch: { ...branch, force: forced, givenUp: forced && step.attempt >= mostForcedTries },
          checked,
          cluster: input.cluster,
          resumed: isResumed(facts, request),
          isFirst: !facts.finalizers.includes(ownFinalizer(backend, facts)),
          deadline: claimedAt + limits.stepMs + limits.marginMs,
          stepEnd: claimedAt + limits.stepMs,
          signal: input.signal,
        }),
      ),
  )
}

/**
 * Returns true if external resources may exist although the object has no finalizer: it was created before and lost the
 * finalizer, or it is from another seed.
 */
const mayBeMade = (branch: DecidedStep['branch'], { status }: KubernetesObject): boolean =>
  branch.type !== 'Create' || isRetained(status, 'state') || isRetained(status, 'providerStatus')

const isRetained = (status: unknown, field: 'state' | 'providerStatus'): boolean => {
  const value = (status as Readonly<Record<string, unknown>> | undefined)?.[field]
  return value !== undefined && value !== null
}

/** The decisions of a step before any action. */
interface DecidedStep {
  readonly event: StepEvent
  readonly key: ObjectKey
  readonly facts: Facts
  readonly branch: Extract<Dispatch, { kind: 'run' }>
}

/** Ends an attempt without work: consumes the annotation and removes the wait. */
const stop = async (
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

/** 409 and 404 mean a concurrent change, so everything is decided again from the live object. */
const locked = async <T>(
  write: () => Promise<T>,
  then: (written: T) => StepOutcome | Promise<StepOutcome>,
): Promise<StepOutcome | 'decide-again'> => {
  let written: T
  try {
    written = await write()
  } catch (error) {
    if (error instanceof KubernetesError && (error.status === 409 || error.status === 404))
      return 'decide-again'
    throw error
  }
  return then(written)
}

const recorded = (how: Recorded): StepOutcome => ({ kind: 'recorded', how })
