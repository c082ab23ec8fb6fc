import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { StepOperation } from '../../../shared/contract/step-annotation.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type Facts, stepIsComplete } from '../../../shared/lifecycle/lifecycle.ts'
import { type Decision, idOf, neededSince } from '../../core/core.ts'
import type { BridgeObserver, EndedStep, ObserveBridge, ShownOutcome } from '../bridge-event.ts'

/** Open requests of a kind: not yet `Succeeded`. */
export interface OpenRequests {
  readonly open: number
  /** Open requests with a failed last step. */
  readonly failing: number
  readonly oldestSince: Timestamp | undefined
}

/**
 * Follows each object from its request to its success, by its status. A process that does not send sees the same, so
 * nothing is lost with the one that does.
 */
export interface StepWatch extends Required<Pick<BridgeObserver, 'objectSeen' | 'objectDeleted'>> {
  requests(): ReadonlyMap<KindName, OpenRequests>
}

interface Claim {
  /** The event may be delivered again after the claim has expired; its end is a different one then. */
  readonly id: string
  readonly operation: StepOperation
  readonly attempt: number
  /** undefined: the claim existed when the object was first seen. */
  readonly at: Timestamp | undefined
}

interface Followed {
  readonly kind: KindName
  /** As last seen on the object. */
  about: Pick<EndedStep, 'kind' | 'object' | 'uid' | 'provider'>
  claim: Claim | undefined
  readonly since: Timestamp
  /** True if the request was seen when it was written. */
  readonly isWhole: boolean
  isFailing: boolean
  /** `lastOperation` is `Error`, as last seen. */
  showsError: boolean
}

export const createStepWatch = (clock: Pick<Clock, 'now'>, observe: ObserveBridge): StepWatch => {
  const followed = new Map<string, Followed>()

  const end = (
    { about, claim, since, isWhole }: Followed,
    outcome: ShownOutcome,
    facts: Facts | undefined,
    object?: KubernetesObject,
  ): void => {
    if (claim === undefined) return
    const now = clock.now()
    // `Succeeded` removes the error of the previous attempt, so an error beside it belongs to this step.
    const showsError =
      outcome === 'failed' || (outcome === 'waits' && facts?.lastOperation?.state === 'Succeeded')
    const failure = showsError ? failureOf(object) : { codes: [], description: '' }
    observe({
      type: 'ended',
      ...about,
      operation: claim.operation,
      outcome,
      ...failure,
      // The wait after a success counts no failures.
      attempt: outcome === 'succeeded' ? claim.attempt : (facts?.step?.attempt ?? claim.attempt),
      tookMs: claim.at === undefined ? undefined : now - claim.at,
      requestMs: outcome === 'succeeded' && isWhole ? now - since : undefined,
    })
  }

  /** Records the claim that the object shows, and reports the step that it ends. */
  const note = (entry: Followed, facts: Facts, object: KubernetesObject, initial: boolean): void => {
    const { step } = facts
    const { claim } = entry
    entry.showsError = facts.lastOperation?.state === 'Error'
    if (step?.phase === 'claimed') {
      const claimId = `${step.event} ${step.until}`
      if (claim?.id !== claimId) {
        if (claim !== undefined) end(entry, 'expired', undefined)
        const { operation, attempt } = step
        entry.claim = { id: claimId, operation, attempt, at: initial ? undefined : clock.now() }
      }
      if (stepIsComplete(entry.kind, facts)) {
        end(entry, 'succeeded', facts)
        entry.claim = undefined
      }
      return
    }
    if (claim === undefined) return
    if (step === undefined) {
      // A success within the same second as the last one removes the annotation; so does the final end of a step.
      if (facts.lastOperation?.state === 'Succeeded') end(entry, 'succeeded', facts)
    } else {
      const outcome = outcomeOf(facts, claim)
      entry.isFailing = outcome === 'failed' || outcome === 'waits'
      end(entry, outcome, facts, object)
    }
    entry.claim = undefined
  }

  return {
    objectSeen: ({ kind, object, facts, initial, decision }) => {
      const id = idOf(kind, object.metadata)
      const known = followed.get(id)
      if (decision === undefined || (known !== undefined && known.about.uid !== facts.uid))
        followed.delete(id)
      if (decision === undefined) return
      const isOpen = isRequestOpen(decision, facts)
      if (isOpen && !followed.has(id)) {
        const now = clock.now()
        const needed =
          'work' in decision && initial ? neededSince(object, facts, decision.work, now) : undefined
        followed.set(id, {
          kind,
          about: { kind, object: id.slice(kind.length + 1), uid: facts.uid, provider: facts.provider },
          claim: undefined,
          since: Math.min(needed ?? now, now),
          isWhole: !initial,
          isFailing: false,
          showsError: false,
        })
      }
      const entry = followed.get(id)
      if (entry !== undefined) note(entry, facts, object, initial)
      if (!isOpen) followed.delete(id)
    },
    objectDeleted: (kind, key) => {
      const id = idOf(kind, key)
      const entry = followed.get(id)
      // An object disappears when its deletion or its migration was a success. A forced deletion that left things
      // behind ends with an error: then nothing has recovered.
      if (entry?.claim !== undefined && entry.showsError) entry.claim = { ...entry.claim, attempt: 0 }
      if (entry !== undefined) end(entry, 'succeeded', undefined)
      followed.delete(id)
    },
    requests: () => {
      const byKind = new Map<KindName, { -readonly [K in keyof OpenRequests]: OpenRequests[K] }>()
      for (const { kind, since, isFailing } of followed.values()) {
        const sum = byKind.get(kind) ?? { open: 0, failing: 0, oldestSince: undefined }
        byKind.set(kind, sum)
        sum.open++
        if (isFailing) sum.failing++
        sum.oldestSince = Math.min(sum.oldestSince ?? since, since)
      }
      return byKind
    },
  }
}

/**
 * Returns true if a request has not succeeded yet and waits for nothing but its steps. A check that is due later, after
 * a success, does not count as a request.
 */
const isRequestOpen = (
  decision: Decision,
  { lastOperation, step }: Pick<Facts, 'lastOperation' | 'step'>,
): boolean =>
  decision.kind === 'send' ||
  (decision.kind === 'wait' &&
    !(decision.why === 'due later' && lastOperation?.state === 'Succeeded' && (step?.attempt ?? 0) === 0))

/**
 * Returns the outcome of a step that has scheduled the next one. A step that its process has handed back looks like one
 * that continues later.
 */
const outcomeOf = ({ lastOperation, step }: Facts, claim: Pick<Claim, 'attempt'>): ShownOutcome => {
  const hasFailed = (step?.attempt ?? 0) > claim.attempt
  switch (lastOperation?.state) {
    // A step that ends without an error does not count as a further failure.
    case 'Succeeded':
      // The step checks again later, or could not remove its finalizer or its annotation.
      return hasFailed ? 'waits' : 'succeeded'
    case 'Processing':
      return hasFailed ? 'waits' : 'continues'
    default:
      return lastOperation === undefined ? 'waits' : 'failed'
  }
}

const failureOf = (object: KubernetesObject | undefined): Pick<EndedStep, 'codes' | 'description'> => {
  const { lastError } = recordOf(object?.status)
  const { codes, description } = recordOf(lastError)
  return {
    codes: Array.isArray(codes) ? codes.filter(code => typeof code === 'string') : [],
    description: typeof description === 'string' ? description : '',
  }
}
