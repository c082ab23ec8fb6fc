import { type Decision, decide, holdOf, neededSince, type Sent } from '../../bridge/bridge.ts'
import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  type Facts,
  factsOf,
  type PieceOfWork,
  type StepSeen,
  unknownOperationOf,
  unknownOperationText,
} from '../../shared/lifecycle/lifecycle.ts'
import { objectErrorOf, unhealthyOf } from './object-error.ts'
import { clockText, durationText } from './time-text.ts'
import type { NextStep, NodeError, NodeState } from './tree.ts'

/** The facts beside an object that decide on its next event. */
export interface Surroundings {
  /** The shoot of its namespace; `isFailed` is undefined without a Cluster. Absent: the namespace is no shoot's. */
  readonly shoot?: { readonly isFailed: boolean | undefined } | undefined
  /** False if no function of the seed serves the object. Absent: unknown. */
  readonly isServed?: boolean | undefined
  /** The knowledge of a bridge. A reader that starts now has none, as a bridge after its start. */
  readonly seen?: StepSeen | undefined
  readonly sent?: Sent | undefined
}

/** The state of an object, why it waits, and what comes next. */
export interface Outlook {
  readonly state: NodeState
  readonly why?: string
  readonly next?: NextStep
  readonly error?: NodeError
}

/** The bridge's default for an unclaimed event, in ms. */
const unclaimedMs = 90_000
/** Longer than an event and a cold start together: until then, due work needs no explanation. */
const startMs = 10_000
/** Longer than an event, its repeats and a cold start together: after that, due work is stuck. */
const patienceMs = 300_000

/** Returns the outlook of an object, by the same rules as the bridge. */
export const outlookOf = (
  kind: KindName,
  object: KubernetesObject,
  surroundings: Surroundings,
  now: Timestamp,
): Outlook => {
  const facts = factsOf(object)
  const { seen, sent } = surroundings
  const hold = holdOf(kind, surroundings.shoot)
  const decision = decide({ kind, facts, now, sent, seen, hold, unclaimedMs })
  const unknown = unknownOperationOf(object)
  const found = ofDecision({ decision, hold, object, facts, surroundings, now })
  const error = objectErrorOf(object, facts) ?? (found.state === 'ok' ? unhealthyOf(object) : undefined)
  const why = [found.why, unknown === undefined ? undefined : unknownOperationText(unknown)].filter(
    part => part !== undefined,
  )
  return {
    state: stateOf(found.state, error, facts, unknown),
    ...(why.length > 0 && { why: why.join('; ') }),
    ...nextOf(found.next, unknown, error),
    ...(error !== undefined && { error }),
  }
}

type Found = Pick<Outlook, 'state' | 'why' | 'next'>

/** A throttled step writes `Error` and does not count as a failure: it waits. */
const stateOf = (
  state: NodeState,
  error: NodeError | undefined,
  { step }: Facts,
  unknown: string | undefined,
): NodeState => {
  if (error !== undefined && !(state === 'waiting' && step?.phase === 'waiting' && step.attempt === 0))
    return 'failed'
  return unknown !== undefined && state === 'ok' ? 'waiting' : state
}

const nextOf = (
  next: NextStep | undefined,
  unknown: string | undefined,
  error: NodeError | undefined,
): Pick<Outlook, 'next'> => {
  if (next !== undefined) return { next }
  if (unknown !== undefined) return { next: { what: 'the operation, once the annotation is corrected' } }
  // Without due work, only its health has failed.
  return error === undefined ? {} : { next: { what: 'the next health check' } }
}

interface Known {
  readonly decision: Decision
  readonly hold: ReturnType<typeof holdOf>
  readonly object: KubernetesObject
  readonly facts: Facts
  readonly surroundings: Surroundings
  readonly now: Timestamp
}

const ofDecision = (known: Known): Found => {
  const { decision, hold, object, facts, now } = known
  switch (decision.kind) {
    case 'nothing':
      return withoutWork(known)
    case 'hold':
      return held(decision.why, decision.work)
    case 'send':
      return due(known, decision)
    case 'wait':
      switch (decision.why) {
        case 'claimed':
          return {
            state: 'working',
            why: `a step is running, until ${clockText(decision.at, now)} at the latest`,
            next: {
              what: 'the end of the step; if it is lost, it is repeated',
              at: decision.at,
              event: decision.id,
            },
          }
        case 'due later':
          // The bridge would hold it when it is due.
          if (hold !== undefined) return held(hold, decision.work)
          return {
            ...waitOf(object, facts, now),
            next: { what: nextText(decision.work), at: decision.at, event: decision.id },
          }
        case 'claim awaited':
        case 'covered':
          return {
            state: 'working',
            why: 'the event is sent, and no function has claimed it yet',
            next: { what: `${nextText(decision.work)} again`, at: decision.at, event: decision.id },
          }
      }
  }
}

const holdTexts = {
  'shoot failed':
    'the shoot has failed: its objects are held until somebody retries the shoot (gardener.cloud/operation=retry on the Shoot)',
  'no cluster': 'the Cluster of the shoot is missing: its objects are held until gardenlet writes it',
} as const

const held = (why: keyof typeof holdTexts, work: PieceOfWork): Found => ({
  state: 'waiting',
  why: holdTexts[why],
  next: { what: nextText(work) },
})

/** `retry 3 of reconcile`, `continue`. */
const nextText = ({ operation, attempt, reason }: PieceOfWork): string =>
  attempt > 0 && reason !== 'expired' ? `retry ${attempt} of ${operation}` : operation

const due = (
  { object, facts, surroundings, now }: Known,
  { work, id }: Extract<Decision, { kind: 'send' }>,
): Found => {
  const since =
    (work.timed ? parseTimestamp(facts.step?.until) : undefined) ?? neededSince(object, facts, work) ?? now
  const age = Math.max(0, now - since)
  const next = { what: nextText(work), at: now, event: id }
  if (surroundings.isServed === false) {
    return {
      state: 'waiting',
      why: `no function of this seed serves the type ${facts.provider}, since ${durationText(age)}`,
      next: { what: next.what },
    }
  }
  return {
    state: age < startMs ? 'working' : age < patienceMs ? 'waiting' : 'failed',
    why: `a step is due since ${durationText(age)}: no function has claimed it${age < patienceMs ? '' : '. It is stuck: run trellis doctor'}`,
    next,
  }
}

/** Says why the next step of an object is due later. */
const waitOf = ({ status }: KubernetesObject, { step, lastOperation }: Facts, now: Timestamp): Found => {
  if (step === undefined || lastOperation?.state === 'Succeeded') return { state: 'ok' }
  const { attempt, waitsFor, waitsSince, interrupted } = step
  if (attempt > 0) {
    const times = attempt === 1 ? 'once' : `${attempt} times in a row`
    return {
      state: 'waiting',
      why: `its step has failed ${times}; the wait doubles with each failure, up to 17 minutes`,
    }
  }
  if (interrupted) return { state: 'waiting', why: 'its last step was interrupted and is repeated' }
  if (lastOperation?.state === 'Error')
    return {
      state: 'waiting',
      why: 'it is too early for a new try, as after a throttled call; this is no failure',
    }
  // The status changes only with its text, so its time is the start of this wait.
  const since = parseTimestamp(waitsSince) ?? parseTimestamp(lastOperation?.lastUpdateTime)
  const age = since === undefined ? '' : `, since ${durationText(now - since)}`
  // The annotation may name a wait by a key; the status describes it for readers.
  const { description } = recordOf(recordOf(status).lastOperation)
  const reason = stringOf(description) || (waitsFor === undefined ? '' : `waits for ${waitsFor}`)
  return {
    state: 'waiting',
    why: reason === '' ? 'it works in several steps, with a pause in between' : `${reason}${age}`,
  }
}

/** An object without work of Trellis may still wait for somebody. */
const withoutWork = ({ object, facts }: Known): Found => {
  if (facts.requested === 'wait-for-state') {
    return {
      state: 'waiting',
      why: 'it waits for its state from the other seed, which gardenlet writes',
      next: { what: 'restore, when gardenlet requests it' },
    }
  }
  if (facts.deletionTimestamp !== undefined) {
    const others = facts.finalizers.join(', ')
    return {
      state: 'waiting',
      why:
        others === '' ? 'the API server is deleting it' : `its deletion waits for the finalizers ${others}`,
      next: { what: 'the end of the deletion' },
    }
  }
  const { observedGeneration } = recordOf(object.status)
  if (typeof observedGeneration === 'number' && observedGeneration < facts.generation) {
    return {
      state: 'waiting',
      why: 'its spec has changed, and nobody has requested a reconciliation (gardener.cloud/operation=reconcile)',
      next: { what: 'reconcile, when gardenlet requests it' },
    }
  }
  return { state: 'ok' }
}
