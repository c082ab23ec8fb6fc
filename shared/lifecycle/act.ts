import { kinds } from '../contract/kinds.ts'
import type { Cluster } from '../contract/schemas/cluster.ts'
import type { KubernetesObject } from '../kubernetes/port.ts'
import { attemptOf } from './attempt.ts'
import { defaultStepLimits } from './backend.ts'
import { claimPatch } from './claim.ts'
import { finalizerToAdd } from './finalizer.ts'
import { findingsOf } from './findings.ts'
import { isForced } from './forced.ts'
import { locked } from './locked.ts'
import { openRequest } from './request.ts'
import { isResumed } from './resumed.ts'
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
  const findings = await findingsOf(deps, input.object, branch.operation, input.signal)
  const request = openRequest(backend.kind, facts)
  const { patch } = claimPatch({
    facts,
    operation: branch.operation,
    request,
    eventId: event.id,
    now: clock.now(),
    limits,
    // Where nothing can be made, nothing will have to be deleted.
    addFinalizer:
      findings.problem === undefined ? finalizerToAdd(backend, facts, branch.operation) : undefined,
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
          findings,
          cluster: input.cluster,
          resumed: isResumed(facts, request),
          deadline: claimedAt + limits.stepMs + limits.marginMs,
          stepEnd: claimedAt + limits.stepMs,
          signal: input.signal,
        }),
      ),
  )
}
