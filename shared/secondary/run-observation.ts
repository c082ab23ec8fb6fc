import { type Clock, formatMilliseconds, type Timestamp, withinSignal } from '../clock/clock.ts'
import { configurationProblem, StepExpiredError } from '../contract/errors.ts'
import { type KindName, kinds } from '../contract/kinds.ts'
import { parseObject } from '../contract/parse.ts'
import { formatProblems } from '../decode/problems.ts'
import {
  type Kubernetes,
  type KubernetesObject,
  type ObjectKey,
  refusalAdvice,
  startDeadline,
} from '../kubernetes/kubernetes.ts'
import {
  backoffMs,
  clusterOf,
  defaultStepLimits,
  factsOf,
  longestStepLimits,
  redact,
  type StepEvent,
  type StepLimits,
  type StepOutcome,
  stepKubernetes,
} from '../lifecycle/lifecycle.ts'
import { type Log, withFields } from '../log/log.ts'
import { cutText } from '../text/cut-text.ts'
import { messageOf } from '../text/message-of.ts'
import { type DueObservation, dueObservation, successOf } from './due-observation.ts'
import { observationId } from './observation-event.ts'
import { type ObservationWriter, observationWriter } from './observation-writer.ts'
import type { SecondaryActuator, SecondaryContext, SecondaryResult } from './secondary-actuator.ts'
import { type PlaceOf, secondaryKubernetes } from './secondary-kubernetes.ts'
import { recordIn, type SecondaryRecord } from './secondary-record.ts'
import { SecondaryWriteError } from './secondary-write.ts'

export interface ObservationDeps {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  readonly definition: {
    readonly name: string
    readonly kind: KindName
    readonly types: readonly string[]
    readonly classes: readonly string[]
    readonly conditions: readonly string[]
  }
  readonly actuator: SecondaryActuator
  readonly limits?: StepLimits
  /** The place of the definition. Starts the messages about wrong results. */
  readonly place?: string | undefined
  readonly placeOf?: PlaceOf
  /** Called with the text of a failed step's error. */
  readonly onFailure?: ((why: string) => void) | undefined
}

/** Maximum decisions on one event. */
const tries = 8
const longestWhy = 500
const shortestWaitMs = 1_000

/**
 * Runs one step of a secondary function: claims the object in the function's annotation, runs the actuator, and writes
 * its conditions and the record of what it has seen. All writes are locked to a version and checked (`checkedPatch`).
 * The primary controller is never waited for and never disturbed. Never throws.
 */
export const runObservation = async (
  deps: ObservationDeps,
  event: StepEvent,
  signal: AbortSignal,
): Promise<StepOutcome> => {
  try {
    for (let tried = 0; tried < tries; tried++) {
      const outcome = await tryObservation(deps, event, signal)
      if (outcome !== 'decide again') return outcome
    }
    return { kind: 'busy', retryAfterSeconds: 1 }
  } catch (error) {
    if (error instanceof StepExpiredError) return recorded('superseded')
    const advice = refusalAdvice(error)
    return { kind: 'unrecorded', reason: messageOf(error), ...(advice !== undefined && { advice }) }
  }
}

type How = Extract<StepOutcome, { kind: 'recorded' }>['how']

const recorded = (how: How): StepOutcome => ({ kind: 'recorded', how })

const tryObservation = async (
  deps: ObservationDeps,
  event: StepEvent,
  signal: AbortSignal,
): Promise<StepOutcome | 'decide again'> => {
  const { kubernetes, clock, definition, actuator, limits = defaultStepLimits } = deps
  const { name, kind, types, classes } = definition
  const key: ObjectKey = {
    name: event.name,
    ...(event.namespace !== undefined && { namespace: event.namespace }),
  }
  const object = await kubernetes.get(kinds[kind].resource, key, { signal })
  if (object === undefined) return recorded('gone')
  const facts = factsOf(object)
  if (!types.includes(facts.provider) || !classes.includes(facts.extensionClass)) return recorded('not-ours')
  const due = dueObservation(kind, object, name)
  const admission = mayRun(due, object, event, clock.now())
  if (admission !== 'run' || due.kind === 'none')
    return admission === 'run' ? recorded('nothing-to-do') : admission

  const before = recordIn(object, name)
  const claimMs = limits.stepMs + limits.marginMs
  const cleans = actuator.remove !== undefined
  const claim: SecondaryRecord = {
    phase: 'claimed',
    operation: due.operation,
    uid: facts.uid,
    generation: facts.generation,
    success: successOf(facts) || (before?.success ?? ''),
    cleans,
    attempt: due.attempt,
    event: event.id,
    until: formatMilliseconds(clock.now() + claimMs),
    durationMs: claimMs,
  }
  const writer = observationWriter(deps, key, object, claim)
  const claimedAt = clock.now()
  const needsFinalizer = cleans && facts.deletionTimestamp === undefined
  const claimed = await writer.claim(needsFinalizer)
  if (claimed === 'changed') return 'decide again'
  return runClaimed(deps, { object: claimed, claim, writer, deadline: claimedAt + claimMs, signal })
}

/** As `mayRun` of the lifecycle: only the bridge's clock decides when a wait is over, by the event's id. */
const mayRun = (
  due: DueObservation,
  object: KubernetesObject,
  event: Pick<StepEvent, 'id'>,
  now: Timestamp,
): StepOutcome | 'run' => {
  if (due.kind === 'none') return recorded('nothing-to-do')
  if (due.kind === 'emit') return 'run'
  const isNamed = event.id === observationId(object, due)
  const leftMs = due.at - now
  if (!due.held) return isNamed || leftMs <= 0 ? 'run' : recorded('not-due')
  const mayBeAlive = leftMs > 0 && leftMs <= longestStepLimits.stepMs + longestStepLimits.marginMs
  return mayBeAlive ? { kind: 'busy', retryAfterSeconds: Math.min(Math.ceil(leftMs / 1000), 30) } : 'run'
}

interface ClaimedObservation {
  readonly object: KubernetesObject
  readonly claim: SecondaryRecord
  readonly writer: ObservationWriter
  readonly deadline: Timestamp
  readonly signal: AbortSignal
}

const runClaimed = async (deps: ObservationDeps, claimed: ClaimedObservation): Promise<StepOutcome> => {
  const { clock, log, definition, limits = defaultStepLimits } = deps
  const { writer, claim } = claimed
  const { until: _, durationMs: __, ...seen } = claim
  const waiting = (waitMs: number, attempt: number, why?: string): SecondaryRecord => ({
    ...seen,
    phase: 'waiting',
    attempt,
    until: formatMilliseconds(clock.now() + waitMs),
    durationMs: waitMs,
    ...(why !== undefined && { why: cutText(why, longestWhy) }),
  })
  const time = startDeadline(clock, limits.stepMs, 'the step', claimed.signal)
  /** Values of the referenced Secrets that the step has read. */
  const referenced: string[] = []
  let result: SecondaryResult
  try {
    result = await withinSignal(time.signal, actuate(deps, claimed, time.signal, referenced))
    checkResult(result, deps)
  } catch (error) {
    if (error instanceof StepExpiredError) throw error
    const why = redact(messageOf(error), undefined, referenced)
    const attempt = claim.attempt + 1
    deps.onFailure?.(why)
    log.warn('observation failed', {
      function: definition.name,
      operation: claim.operation,
      attempt,
      error: why,
    })
    await writer.end(waiting(backoffMs(attempt), attempt, why), false)
    return recorded('failed')
  } finally {
    time.release()
  }
  if (result.conditions !== undefined) await writer.conditions(result.conditions)
  if (result.againAfterMs !== undefined) {
    await writer.end(waiting(Math.max(result.againAfterMs, shortestWaitMs), 0), false)
    return recorded('continues')
  }
  // Without a clean-up, the finalizer of a former version of the function is released too.
  await writer.end({ ...seen, phase: 'observed', attempt: 0 }, claim.operation !== 'observe' || !claim.cleans)
  return recorded('succeeded')
}

const actuate = async (
  deps: ObservationDeps,
  { object, claim, deadline }: ClaimedObservation,
  signal: AbortSignal,
  referenced: string[],
): Promise<SecondaryResult> => {
  const { kubernetes, clock, log, definition, actuator, placeOf = () => undefined } = deps
  const { name, kind } = definition
  const { operation } = claim
  // A former version of the function had a clean-up step.
  if (operation !== 'observe' && actuator.remove === undefined) return {}
  const parsed = parseObject(kind, object)
  if (!parsed.ok) throw configurationProblem(formatProblems(parsed.problems))
  const cluster = await clusterOf(kubernetes, kind, object, signal)
  if (operation === 'observe') {
    if (cluster.kind === 'unreadable') throw cluster.error
    if (cluster.kind === 'failed-shoot') throw new Error('the shoot has failed: its objects are not observed')
  }
  const throwIfExpired = () => {
    signal.throwIfAborted()
    if (clock.now() >= deadline) throw new StepExpiredError('the time of this step is over')
  }
  const noteSecret = (values: readonly string[]) => referenced.push(...values)
  const within = stepKubernetes(kubernetes, { signal, throwIfExpired, noteSecret })
  const { lastOperation } = factsOf(object)
  const { metadata } = object
  const context: SecondaryContext = {
    object: parsed.object,
    operation,
    primary: lastOperation && { type: lastOperation.type, state: lastOperation.state },
    owner: { apiVersion: object.apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' },
    cluster: cluster.kind === 'found' ? cluster.cluster : undefined,
    kubernetes: secondaryKubernetes(within, { kind, placeOf }),
    signal,
    throwIfExpired,
    clock,
    log: withFields(log, {
      step: `${name} ${operation} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
    }),
  }
  const run = operation === 'observe' ? actuator.observe : actuator.remove
  return (await run?.(context)) ?? {}
}

const resultFields: readonly string[] = ['conditions', 'againAfterMs']

const checkResult = (result: SecondaryResult, { definition, place }: ObservationDeps): void => {
  const { kind, conditions } = definition
  const refuse = (field: string) => new SecondaryWriteError(field, kind, place)
  for (const field of Object.keys(result)) if (!resultFields.includes(field)) throw refuse(`status.${field}`)
  for (const type of Object.keys(result.conditions ?? {}))
    if (!conditions.includes(type))
      throw refuse(`the condition ${type}, which is not among the conditions of its definition,`)
}
