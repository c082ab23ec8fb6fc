import { kinds } from '../../contract/kinds.ts'
import type { Cluster } from '../../contract/schemas/cluster.ts'
import type { KubernetesObject } from '../../kubernetes/port.ts'
import { defaultStepLimits } from '../backend.ts'
import { finalizerToAdd, ownFinalizer } from '../decide/finalizer.ts'
import { mostForcedTries } from '../decide/forced.ts'
import { openRequest } from '../decide/request.ts'
import { isResumed } from '../decide/resumed.ts'
import { checkObject, type ObjectCheck } from './check-object.ts'
import { claimPatch } from './claim.ts'
import { locked } from './locked.ts'
import { runClaimedStep } from './run-claimed-step.ts'
import { recorded, type StepDeps, type StepOutcome } from './step.ts'
import type { DecidedStep } from './stop.ts'

interface Act extends DecidedStep {
  readonly object: KubernetesObject
  readonly cluster: Cluster | undefined
  /** A delete that leaves behind what is outside. */
  readonly forced: boolean
  readonly signal: AbortSignal
}

/** Claims the object and makes the attempt. */
export const act = async (deps: StepDeps, input: Act): Promise<StepOutcome | 'decide-again'> => {
  const { backend, clock, kubernetes } = deps
  const limits = deps.limits ?? defaultStepLimits
  const { facts, branch, key, event, forced } = input
  // A forced delete looks at nothing, so that nothing can hold it up.
  const checked: ObjectCheck = forced
    ? { secret: undefined, problem: undefined }
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
    // Where nothing can be made and nothing was, nothing will have to be deleted.
    addFinalizer:
      checked.problem === undefined || mayBeMade(branch, input.object)
        ? finalizerToAdd(backend, facts, branch.operation)
        : undefined,
  })
  const claimedAt = clock.now()
  return locked(
    () => kubernetes.patch(kinds[backend.kind].resource, key, patch, { signal: input.signal }),
    async claimed =>
      recorded(
        await runClaimedStep(deps, {
          claimed,
          key,
          branch: { ...branch, force: forced, givenUp: forced && step.attempt >= mostForcedTries },
          checked,
          cluster: input.cluster,
          resumed: isResumed(facts, request),
          isFirst: !facts.finalizers.includes(ownFinalizer(backend)),
          deadline: claimedAt + limits.stepMs + limits.marginMs,
          stepEnd: claimedAt + limits.stepMs,
          signal: input.signal,
        }),
      ),
  )
}

/**
 * Whether there may be something outside, although this object has no finalizer: it was made before and has lost it, or
 * it comes from another seed.
 */
const mayBeMade = (branch: DecidedStep['branch'], { status }: KubernetesObject): boolean =>
  branch.type !== 'Create' || isKept(status, 'state') || isKept(status, 'providerStatus')

const isKept = (status: unknown, field: 'state' | 'providerStatus'): boolean => {
  const value = (status as Readonly<Record<string, unknown>> | undefined)?.[field]
  return value !== undefined && value !== null
}
