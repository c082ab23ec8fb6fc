import { CodedError } from '../contract/errors.ts'
import { kinds } from '../contract/kinds.ts'
import { parseObject } from '../contract/parse.ts'
import type { Cluster } from '../contract/schemas/cluster.ts'
import type { KubernetesObject } from '../kubernetes/port.ts'
import type { Secret } from './actuator.ts'
import { attemptOf } from './attempt.ts'
import { defaultStepLimits } from './backend.ts'
import { claimPatch } from './claim.ts'
import { finalizerToAdd } from './finalizer.ts'
import { isForced } from './forced.ts'
import { kindRules } from './kind-rules.ts'
import { locked } from './locked.ts'
import { openRequest } from './request.ts'
import { readSecret, secretRefOf } from './secret-of.ts'
import { recorded, type StepDeps, type StepOutcome } from './step.ts'
import type { Attempt } from './stop.ts'

interface Act extends Attempt {
  readonly object: KubernetesObject
  readonly cluster: Cluster | undefined
  readonly signal: AbortSignal
}

/** Claims the object and makes the attempt. */
export const act = async (deps: StepDeps, input: Act): Promise<StepOutcome | 'decide-again'> => {
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
