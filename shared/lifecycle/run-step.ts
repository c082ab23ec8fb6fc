import type { Clock } from '../clock/clock.ts'
import { CodedError } from '../contract/errors.ts'
import { kinds } from '../contract/kinds.ts'
import { parseObject } from '../contract/parse.ts'
import type { Cluster } from '../contract/schemas/cluster.ts'
import type { Step } from '../contract/step.ts'
import type { ExtensionEvent } from '../events/event.ts'
import {
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
} from '../kubernetes/port.ts'
import type { Log, Secret } from './actuator.ts'
import { attemptOf } from './attempt.ts'
import { type Backend, defaultStepLimits, type StepLimits } from './backend.ts'
import { backoffMs } from './backoff.ts'
import { claimPatch, runningStep, stopChanges, stopPatch, waitingStep } from './claim.ts'
import { clusterOf } from './cluster-of.ts'
import { type Dispatch, dispatch } from './dispatch.ts'
import { type DueWork, dueWorkOf } from './due-work.ts'
import { type Facts, factsOf, stepUntil } from './facts.ts'
import { finalizerToAdd, ownFinalizer } from './finalizer.ts'
import { isForced } from './forced.ts'
import { kindRules } from './kind-rules.ts'
import { openRequest } from './request.ts'
import { readSecret, secretRefOf } from './secret-of.ts'

export interface StepDeps {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  readonly backend: Backend
  readonly limits?: StepLimits
}

/** The part of an event that a step reads; everything else is taken from the live object. */
export type StepEvent = Pick<ExtensionEvent, 'id' | 'name' | 'namespace' | 'reason'>

/**
 * What became of an event.
 * - `recorded`: the outcome, good or bad, stands in the object, or there was nothing to do. The event is done with.
 * - `busy`: another step holds the object.
 * - `unrecorded`: nothing could be written down; the event has to come again.
 */
export type StepOutcome =
  | { readonly kind: 'recorded'; readonly how: Recorded }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unrecorded'; readonly reason: string }

export type Recorded =
  | 'succeeded'
  | 'continues'
  | 'failed'
  | 'waits'
  | 'gone'
  | 'not-ours'
  | 'nothing-to-do'
  | 'not-due'
  | 'shoot-failed'
  | 'migrated'
  | 'nothing-to-delete'
  | 'nothing-to-migrate'

const recorded = (how: Recorded): StepOutcome => ({ kind: 'recorded', how })

/** How often a step decides anew after somebody else changed the object under its claim. */
const claimTries = 8

/**
 * Runs one step for the object that an event names: read, decide, claim, act, write down (contract, lifecycle §12;
 * design §4). Never throws.
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
  if (!isFor(backend, facts)) return recorded('not-ours')

  const due = dueWorkOf(backend.kind, facts, clock.now())
  const verdict = mayRun(due, facts, event, clock)
  if (verdict !== 'run') return verdict

  const branch = dispatch(backend.kind, facts, ownFinalizer(backend))
  if (branch.kind === 'stop') return stop(deps, key, facts, branch.why)

  const cluster = await clusterOf(kubernetes, backend.kind, object, signal)
  switch (cluster.kind) {
    case 'failed-shoot':
      return stop(deps, key, facts, 'shoot-failed')
    case 'unreadable':
      return waitForCluster(deps, { event, key, facts, branch, error: cluster.error })
    case 'none':
      return act(deps, { event, key, object, facts, branch, cluster: undefined, signal })
    case 'found':
      return act(deps, { event, key, object, facts, branch, cluster: cluster.cluster, signal })
  }
}

/** Class and type filter (contract, lifecycle §3.1). */
const isFor = (backend: Backend, facts: Facts): boolean =>
  facts.provider === backend.type &&
  (backend.classes ?? ['shoot']).some(extensionClass => extensionClass === facts.extensionClass)

/** A wait is cut short by the event that the bridge sends at its end, whatever this process's clock says. */
const mayRun = (due: DueWork, facts: Facts, event: StepEvent, clock: Clock): StepOutcome | 'run' => {
  switch (due.kind) {
    case 'none':
      return recorded('nothing-to-do')
    case 'emit':
      return 'run'
    case 'later': {
      if (due.held) {
        const seconds = Math.ceil((stepUntil(facts) - clock.now()) / 1000)
        return { kind: 'busy', retryAfterSeconds: Math.min(Math.max(seconds, 1), 30) }
      }
      const isItsEnd = event.reason === due.reason && due.at - clock.now() <= clockSkewMs
      return isItsEnd || event.reason === 'touched' ? 'run' : recorded('not-due')
    }
  }
}

/** How far the clocks of bridge and function may differ, in ms. */
const clockSkewMs = 2_000

interface Attempt {
  readonly event: StepEvent
  readonly key: ObjectKey
  readonly facts: Facts
  readonly branch: Extract<Dispatch, { kind: 'run' }>
}

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

/** No status says that the Cluster is missing (contract, lifecycle §6.1); the next attempt is ordered all the same. */
const waitForCluster = async (
  deps: StepDeps,
  { event, key, facts, branch, error }: Attempt & { readonly error: Error },
): Promise<StepOutcome | 'decide-again'> => {
  const { backend, clock, log } = deps
  const step: Step = runningStep({
    facts,
    operation: branch.operation,
    request: openRequest(backend.kind, facts),
    eventId: event.id,
    now: clock.now(),
    limits: deps.limits ?? defaultStepLimits,
    addFinalizer: undefined,
  })
  const attempt = step.attempt + 1
  const wait = waitingStep(step, clock.now() + backoffMs(attempt), attempt)
  log.warn('cluster cannot be read, the step waits', { ...key, attempt, error: error.message })
  return locked(
    async () => {
      await deps.kubernetes.patch(kinds[backend.kind].resource, key, stopPatch(facts, wait))
    },
    () => recorded('waits'),
  )
}

interface Act extends Attempt {
  readonly object: KubernetesObject
  readonly cluster: Cluster | undefined
  readonly signal: AbortSignal
}

const act = async (deps: StepDeps, input: Act): Promise<StepOutcome | 'decide-again'> => {
  const { backend, clock, kubernetes } = deps
  const limits = deps.limits ?? defaultStepLimits
  const { facts, branch, key, event } = input
  const parsed = parseObject(backend.kind, input.object)
  const secret = await secretBefore(deps, input, parsed.ok)
  const { patch } = claimPatch({
    facts,
    operation: branch.operation,
    request: openRequest(backend.kind, facts),
    eventId: event.id,
    now: clock.now(),
    limits,
    // Nothing will be made for an object that breaks its schema, or whose Secret is no good: so no finalizer.
    addFinalizer:
      parsed.ok && !(secret instanceof CodedError)
        ? finalizerToAdd(backend, facts, branch.operation)
        : undefined,
  })
  const claimedAt = clock.now()
  return locked(
    () => kubernetes.patch(kinds[backend.kind].resource, key, patch, { signal: input.signal }),
    async claimed =>
      recorded(
        await attemptOf(deps, {
          claimed,
          key,
          branch: { ...branch, force: isForced(backend.kind, input.object, input.cluster) },
          parsed,
          secret,
          cluster: input.cluster,
          deadline: claimedAt + limits.stepMs + limits.marginMs,
          stepEnd: claimedAt + limits.stepMs,
          signal: input.signal,
        }),
      ),
  )
}

/**
 * The Secret of `spec.secretRef`, or what is wrong with it. A kind that guards its Secret reads it only once it has its
 * own finalizer (contract, lifecycle §6.4 step 3).
 */
const secretBefore = async (
  { kubernetes, backend }: StepDeps,
  { object, signal }: Act,
  isWellFormed: boolean,
): Promise<Secret | CodedError | undefined> => {
  const ref = secretRefOf(object)
  if (ref === undefined || !isWellFormed || kindRules[backend.kind].guardsSecret) return undefined
  try {
    return await readSecret(kubernetes, ref, signal)
  } catch (error) {
    if (error instanceof CodedError) return error
    throw error
  }
}

/** 409 and 404: somebody else was faster, so everything is decided again from the live object. */
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
