import { followSignal, parseTimestamp, type Timestamp } from '../../clock/clock.ts'
import { annotations, referencePrefixes } from '../../contract/constants.ts'
import { StepExpiredError } from '../../contract/errors.ts'
import { kinds } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/objects.ts'
import { type OperationTexts, operationTexts } from '../../contract/status.ts'
import { parseStepAnnotation } from '../../contract/step-annotation.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject, ObjectKey } from '../../kubernetes/kubernetes.ts'
import { withFields } from '../../log/log.ts'
import { errorOf } from '../../text/message-of.ts'
import {
  type ForcedStepContext,
  orphaning,
  type StepContext,
  StepContinuesError,
  type StepKubernetes,
  type StepResult,
  type Waited,
} from '../actuator.ts'
import type { StepDeps } from '../backend.ts'
import { type Branch, type KindHooks, kindHooks, UnreportedError } from './kind-hooks.ts'
import { type ObjectWriter, objectWriter } from './object-writer.ts'
import { type OutcomeWriter, outcomeWriter, type StepEnding } from './outcome-writer.ts'
import { findSecret, type ObjectCheck, readSecret, secretRefOf, secretValues } from './preconditions.ts'
import { releaseObject } from './release-object.ts'
import { withPause } from './with-pause.ts'

export interface ClaimedStepInput {
  /** The object after the claim's patch. */
  readonly claimed: KubernetesObject
  readonly key: ObjectKey
  readonly branch: Branch
  readonly checked: ObjectCheck
  readonly cluster: Cluster | undefined
  readonly resumed: boolean
  /** True if the object had no finalizer of this backend before this claim. */
  readonly isFirst: boolean
  /** The actuator's signal aborts at this time. */
  readonly stepEnd: Timestamp
  /** No write starts after this time. */
  readonly deadline: Timestamp
  /** Aborts when the process ends: the actuator must stop, and the claim is released. */
  readonly signal: AbortSignal
}

/**
 * Runs a claimed step: Processing, the actuator, the outcome (docs/contract/lifecycle.md#one-attempt). If the process
 * has no time to finish, the claim is released, so that another process continues at once instead of after the claim.
 *
 * Throws only if the outcome could not be written.
 */
export const runClaimedStep = async (deps: StepDeps, input: ClaimedStepInput): Promise<StepEnding> => {
  const { clock, kubernetes, backend } = deps
  const { claimed, key, branch } = input
  const throwIfExpired = () => {
    if (clock.now() < input.deadline) return
    throw new StepExpiredError('the time of this step is over: another step may be running')
  }
  /** Values of the referenced Secrets that the step has read. */
  const referenced: string[] = []
  const work: ActuatorRun = { mayHaveWritten: false, isOver: false }
  const time = timeLimits(input, clock)
  try {
    const writer = objectWriter({
      kubernetes,
      resource: kinds[backend.kind].resource,
      key,
      claimed,
      throwIfExpired,
      signal: time.claim,
      onLost: time.stop,
    })
    const outcome = outcomeWriter({
      writer,
      deps,
      branch,
      claimed,
      referenced,
      isFirst: input.isFirst,
      resumed: input.resumed,
    })
    const texts = operationTexts(backend.kind, branch.operation)
    const hooks = kindHooks({
      kubernetes,
      backend,
      branch,
      claimed,
      writer,
      throwIfExpired,
      signal: time.claim,
    })
    const throwIfOver = () => {
      throwIfExpired()
      time.step.throwIfAborted()
      if (work.isOver) throw new StepExpiredError('the step has ended')
      work.mayHaveWritten = true
    }
    const context: StepContext = {
      // The claim changes only the metadata, so the parsed object is still valid.
      object: claimed,
      operation: branch.type,
      resumed: input.resumed,
      waited: waitedOf(claimed),
      cluster: input.cluster,
      secret: input.checked.secret,
      signal: time.step,
      throwIfExpired: throwIfOver,
      kubernetes: stepKubernetes(kubernetes, {
        ...{ throwIfExpired: throwIfOver, signal: time.step },
        noteSecret: values => referenced.push(...values),
      }),
      clock,
      log: withFields(deps.log, { step: stepName(deps.backend.kind, branch.operation, claimed) }),
      saveStatus: async status => {
        // A forced delete creates nothing that a late write could save, and the next step may have released the object.
        if (branch.forced !== undefined && work.isOver) throw new StepExpiredError('the step has ended')
        return writer.status(status)
      },
    }
    const { problem } = input.checked
    const mustEnd = () => input.signal.aborted && time.step.reason === input.signal.reason
    return await run({ deps, branch, context, writer, outcome, hooks, texts, work, problem, mustEnd })
  } finally {
    time.end()
  }
}

/** The progress of a running actuator. */
interface ActuatorRun {
  /** The actuator was about to change something outside. */
  mayHaveWritten: boolean
  /** The outcome is known. Calls that are still running have no further effect. */
  isOver: boolean
}

interface Run {
  readonly deps: StepDeps
  readonly branch: Branch
  readonly context: StepContext
  readonly writer: ObjectWriter
  readonly outcome: OutcomeWriter
  readonly hooks: KindHooks
  readonly texts: OperationTexts
  readonly work: ActuatorRun
  readonly problem: ObjectCheck['problem']
  /** True if the process must end and the step's deadline was not reached before. */
  readonly mustEnd: () => boolean
}

/** The order of docs/contract/lifecycle.md#one-attempt, one line per step. */
const run = async ({
  deps,
  branch,
  writer,
  outcome,
  hooks,
  texts,
  work,
  mustEnd,
  ...input
}: Run): Promise<StepEnding> => {
  const { backend, kubernetes } = deps
  let context = input.context
  try {
    if (hooks.skipsActuator) {
      await hooks.dropOwnFinalizer()
      return 'succeeded'
    }
    if (input.problem !== undefined)
      return await outcome.failed(texts.errorPrefix, input.problem, context.secret, false)
    if (branch.forced?.isOver) return await releaseObject({ deps, branch, context, writer, hooks, texts })
    await outcome.processing(texts.processing)
    if ((await hooks.prepare()) === 'finished') return 'succeeded'

    const ref = secretRefOf(context.object)
    if (ref !== undefined && context.secret === undefined && !branch.forced && !backend.ignoresSecret)
      context = { ...context, secret: await readSecret(kubernetes, ref, context.signal) }
    if (
      backend.actuator.validate !== undefined &&
      (branch.operation === 'reconcile' || branch.operation === 'restore')
    ) {
      const invalid = await problemOf(backend.actuator.validate(context))
      if (invalid !== undefined) {
        if (invalid instanceof StepExpiredError || mustEnd()) throw invalid
        const prefix = texts.validationErrorPrefix ?? texts.errorPrefix
        return await outcome.failed(prefix, invalid, context.secret, work.mayHaveWritten)
      }
    }
    const secretFound = async () => {
      const secret = await findSecret(kubernetes, context.object, context.signal)
      // Errors must not repeat the Secret's values.
      context = { ...context, secret }
      return secret
    }
    const result = await actuate(deps, branch, context, secretFound).finally(() => {
      work.isOver = true
    })
    const attempted = { context, current: writer.current(), wrote: work.mayHaveWritten }
    return await (result.kind === 'continue'
      ? outcome.continues(withPause(result, attempted))
      : outcome.succeeded(texts, result, hooks, context))
  } catch (error) {
    const problem = writer.lost() ?? asError(error, context.signal)
    if (problem instanceof StepExpiredError) throw problem
    if (mustEnd()) return await outcome.handsBack(work.mayHaveWritten)
    return problem instanceof UnreportedError
      ? await outcome.waits(problem)
      : await outcome.failed(texts.errorPrefix, problem, context.secret, work.mayHaveWritten)
  }
}

/** Returns the wait that the claim inherited from the previous steps. */
const waitedOf = ({ metadata }: KubernetesObject): Waited | undefined => {
  const { waitsFor, waitsSince = '' } = parseStepAnnotation(metadata.annotations?.[annotations.step]) ?? {}
  const since = parseTimestamp(waitsSince)
  return waitsFor === undefined || since === undefined ? undefined : { for: waitsFor, since }
}

/** Runs the branch's function, and stops waiting for it at the step's deadline. */
const actuate = (
  deps: StepDeps,
  branch: Branch,
  context: StepContext,
  findSecret: ForcedStepContext['findSecret'],
): Promise<StepResult> => {
  const { actuator } = deps.backend
  const work = async (): Promise<StepResult> => {
    switch (branch.operation) {
      case 'reconcile':
        return actuator.reconcile(context)
      case 'restore':
        return (actuator.restore ?? actuator.reconcile)(context)
      case 'migrate':
        return actuator.migrate === undefined ? { kind: 'done' } : actuator.migrate(context)
      case 'delete':
        if (branch.forced === undefined) return actuator.remove(context)
        if (actuator.forceRemove === undefined) return orphaning('its function deletes nothing by force')
        return actuator.forceRemove({ ...context, secret: undefined, findSecret })
    }
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(context.signal.reason)
    if (context.signal.aborted) return abort()
    context.signal.addEventListener('abort', abort, { once: true })
    work()
      .catch(error => {
        if (error instanceof StepContinuesError) return error.result
        throw error
      })
      .then(resolve, reject)
      .finally(() => context.signal.removeEventListener('abort', abort))
  })
}

/** The two limits of a step as signals: the end of the actuator, and the end of all writes. */
const timeLimits = (input: ClaimedStepInput, clock: StepDeps['clock']) => {
  const step = followSignal(input.signal)
  const claim = new AbortController()
  const now = clock.now()
  const { forced } = input.branch
  const text =
    forced !== undefined && input.stepEnd >= forced.endsAt
      ? 'the time of the forced deletion is over'
      : 'the step exceeded its time limit and is retried'
  const cancelStep = clock.after(input.stepEnd - now, () => step.abort(new StepTimeout(text)))
  const cancelClaim = clock.after(input.deadline - now, () =>
    claim.abort(new StepExpiredError('the time of this step is over')),
  )
  return {
    step: step.signal,
    claim: claim.signal,
    /** Ends the running actuator. The outcome can still be written. */
    stop: step.abort,
    end: () => {
      cancelStep()
      cancelClaim()
      step.release()
    },
  }
}

class StepTimeout extends Error {
  override readonly name = 'StepTimeout'
}

/** `reconcile DNSRecord shoot--a--b/c`. Appears in each log line of a step. */
const stepName = (kind: string, operation: string, { metadata }: KubernetesObject): string =>
  `${operation} ${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

const asError = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted && signal.reason instanceof StepTimeout) return signal.reason
  return errorOf(error)
}

const problemOf = async (check: Promise<void>): Promise<Error | undefined> => {
  try {
    await check
    return undefined
  } catch (error) {
    return errorOf(error)
  }
}

/** The part of a step that its calls depend on. */
interface CallingStep {
  readonly signal: AbortSignal
  /** Called before each write. */
  readonly throwIfExpired: () => void
  /** Called with the values of each referenced Secret that the step reads, so that its errors do not repeat them. */
  readonly noteSecret?: (values: readonly string[]) => void
}

/** Kubernetes for a step: each call ends with it, and no write begins after its deadline. */
export const stepKubernetes = (
  kubernetes: StepKubernetes,
  { signal, throwIfExpired, noteSecret }: CallingStep,
): StepKubernetes => ({
  get: async (resource, key, options) => {
    const object = await kubernetes.get(resource, key, { signal, ...options })
    if (resource.plural === secrets.plural && isReferenced(key.name)) noteSecret?.(secretValues(object))
    return object
  },
  list: (resource, options) => kubernetes.list(resource, { signal, ...options }),
  create: async (resource, object, options) => {
    throwIfExpired()
    return kubernetes.create(resource, object, { signal, ...options })
  },
  patch: async (resource, key, patch, options) => {
    throwIfExpired()
    return kubernetes.patch(resource, key, patch, { signal, ...options })
  },
  apply: async (resource, object, options) => {
    throwIfExpired()
    return kubernetes.apply(resource, object, { signal, ...options })
  },
  delete: async (resource, key, options) => {
    throwIfExpired()
    return kubernetes.delete(resource, key, { signal, ...options })
  },
})

const isReferenced = (name: string): boolean =>
  Object.values(referencePrefixes).some(prefix => name.startsWith(prefix))
