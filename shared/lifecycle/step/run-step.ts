import { ClaimLostError } from '../../contract/errors.ts'
import { kinds } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import { isInForce, type Pause } from '../../contract/pause.ts'
import {
  hasStatus,
  type KubernetesObject,
  type ObjectKey,
  refusalAdvice,
} from '../../kubernetes/kubernetes.ts'
import { errorOf, messageOf } from '../../text/message-of.ts'
import {
  defaultStepLimits,
  type Recorded,
  type StepDeps,
  type StepEvent,
  type StepLimits,
  type StepOutcome,
} from '../backend.ts'
import {
  claimPatch,
  type Dispatch,
  dispatch,
  finalizerToAdd,
  isForced,
  ownFinalizer,
  stopChanges,
  stopPatch,
} from '../decide/claim.ts'
import { dueWorkOf, isResponsibleFor, mayRun } from '../decide/due-work.ts'
import { type Facts, factsOf, isResumed, openRequest } from '../decide/facts.ts'
import { type ForcedDeletion, forcedDeletionOf, wasForced } from '../decide/forced-deletion.ts'
import { type ClusterLookup, checkObject, clusterOf, type ObjectCheck } from './preconditions.ts'
import { runClaimedStep } from './run-claimed-step.ts'

/**
 * A pause ends this many milliseconds earlier for a function than for the bridge: the bridge sends nothing until its
 * end, and a function whose clock is behind would drop the event.
 */
const pauseToleranceMs = 10_000

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
  const isPaused = (pause: Pause | undefined) => isInForce(pause, clock.now() + pauseToleranceMs)
  if (isPaused(facts.pause)) return recorded('paused')

  const due = dueWorkOf(backend.kind, facts, clock.now())
  const admission = mayRun(due, facts, event, clock.now())
  if (admission !== 'run') return admission

  const branch = dispatch(backend.kind, facts, ownFinalizer(backend, facts))
  if (branch.kind === 'stop') return stop(deps, key, facts, branch.why)

  // The annotation on a Shoot cannot be removed, so a deletion that was forced once remains forced without its Cluster.
  const isForcedAnyway =
    branch.operation === 'delete' && (wasForced(facts) || isForced(backend.kind, object, undefined))
  const cluster = await readCluster(deps, object, isForcedAnyway, signal)
  if (isPaused(cluster.pause)) return recorded('paused')
  if (cluster.kind === 'failed-shoot') return stop(deps, key, facts, 'shoot-failed')
  const found = cluster.kind === 'found' ? cluster.cluster : undefined
  const forces =
    branch.operation === 'delete' &&
    (found === undefined
      ? isForcedAnyway || (cluster.kind === 'unreadable' && cluster.forced)
      : isForced(backend.kind, object, found))
  const forced = forces ? forcedDeletionOf(facts, clock.now()) : undefined
  const problem = cluster.kind === 'unreadable' && !forces ? cluster.error : undefined
  return act(deps, { event, key, object, facts, branch, cluster: found, problem, forced, signal })
}

/** Reads the Cluster. A deletion that is forced without one is not blocked by an API server that cannot return it. */
const readCluster = async (
  { kubernetes, backend }: StepDeps,
  object: KubernetesObject,
  isForcedAnyway: boolean,
  signal: AbortSignal,
): Promise<ClusterLookup> => {
  try {
    return await clusterOf(kubernetes, backend.kind, object, signal)
  } catch (error) {
    if (!isForcedAnyway || signal.aborted) throw error
    return { kind: 'unreadable', error: errorOf(error), forced: true }
  }
}

interface Act extends DecidedStep {
  readonly object: KubernetesObject
  readonly cluster: Cluster | undefined
  /** The reason to end the attempt before its actuator runs. Undefined: the step checks the object and its Secret. */
  readonly problem?: Error | undefined
  /** Undefined: the operation is no forced delete. */
  readonly forced: ForcedDeletion | undefined
  readonly signal: AbortSignal
}

/** Claims the object and runs the attempt. */
const act = async (deps: StepDeps, input: Act): Promise<StepOutcome | 'decide-again'> => {
  const { backend, clock, kubernetes } = deps
  const { facts, branch, key, event, forced } = input
  const limits = limitsOf(deps, forced)
  // A forced delete checks nothing, so that nothing can block it.
  const checked: ObjectCheck =
    forced !== undefined || input.problem !== undefined
      ? { secret: undefined, problem: input.problem }
      : await checkObject(deps, input.object, branch.operation, input.signal)
  const request = openRequest(backend.kind, facts)
  const { patch } = claimPatch({
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
          branch: { ...branch, forced },
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

/** The actuator of a forced delete stops when its time is over, even if its process allows longer steps. */
const limitsOf = ({ limits = defaultStepLimits, clock }: StepDeps, forced?: ForcedDeletion): StepLimits =>
  forced === undefined
    ? limits
    : { ...limits, stepMs: Math.min(limits.stepMs, Math.max(0, forced.endsAt - clock.now())) }

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
    if (hasStatus(error, 409, 404)) return 'decide-again'
    throw error
  }
  return then(written)
}

const recorded = (how: Recorded): StepOutcome => ({ kind: 'recorded', how })
