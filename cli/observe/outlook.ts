import { type Decision, decide, holdOf, neededSince } from '../../bridge/bridge.ts'
import { parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { isInForce, type Pause, pauseOf, pauseProblem } from '../../shared/contract/pause.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  type Facts,
  factsOf,
  kindRules,
  type PieceOfWork,
  unknownOperationOf,
  unknownOperationText,
  withShootPause,
} from '../../shared/lifecycle/lifecycle.ts'
import { inShell } from '../../shared/text/in-shell.ts'
import { pluralTitle } from '../../shared/text/plural-title.ts'
import { isMissingPermission } from './advice.ts'
import { objectErrorOf, unhealthyOf } from './object-error.ts'
import { pathOf } from './seed-view.ts'
import { clockText, durationText } from './time-text.ts'
import type { NextStep, NodeError, NodeState } from './tree.ts'

/** The shoot of an object's namespace. `isFailed` is undefined without a Cluster. */
export interface ShootOfObject {
  readonly isFailed: boolean | undefined
  /** In force or not. */
  readonly pause?: Pause | undefined
  /** The command that retries a failed shoot. */
  readonly retry?: string
}

/** The state of an object, why it waits, and what comes next. */
export interface Outlook {
  readonly state: NodeState
  readonly why?: string
  readonly next?: NextStep
  readonly error?: NodeError
  /** The command that a reader runs. Undefined: it goes on by itself, or by the work of others. */
  readonly run?: string
}

/** Longer than an event and a cold start together: until then, due work needs no explanation. */
const startMs = 10_000
/** Longer than an event, its repeats and a cold start together: after that, due work is stuck. */
const patienceMs = 300_000

/**
 * Returns the outlook of an object, by the same rules as the bridge. A reader has seen no event, as a bridge after its
 * start.
 *
 * @param shoot undefined: the namespace is no shoot's
 * @param served true if Trellis serves the object. It does nothing for others. Default: true.
 */
export const outlookOf = (
  kind: KindName,
  object: KubernetesObject,
  shoot: ShootOfObject | undefined,
  now: Timestamp,
  served: boolean | 'unknown' = true,
): Outlook => {
  const facts = withShootPause(kind, factsOf(object), shoot?.pause, now)
  if (served === false) return outlookOfOther(kind, object, facts)
  const hold = holdOf(kind, shoot)
  // Only a sent event can be unclaimed.
  const decision = decide({ kind, facts, now, sent: undefined, hold, unclaimedMs: 0 })
  const unknown = unknownOperationOf(object)
  const ended = [pauseOf(object.metadata), shoot?.pause].map(pause => pause?.until ?? 0)
  const resumed = Math.max(0, ...ended.filter(until => until <= now))
  const isAnswered = answersReconcile(kind, facts, shoot, now)
  const found = ofDecision({ decision, hold, object, facts, now, served, shoot, resumed, isAnswered })
  const error = objectErrorOf(object, facts) ?? (found.state === 'ok' ? unhealthyOf(object) : undefined)
  const why = [
    found.why,
    unknown === undefined ? undefined : unknownOperationText(unknown),
    pauseProblem(object.metadata, now),
  ].filter(part => part !== undefined)
  const state = stateOf(found.state, error, facts, unknown)
  // A retry of a held object does nothing.
  const isHeld = decision.kind === 'hold' || isInForce(facts.pause, now)
  const wrong = { state, unknown, error, isAtRest: found.state === 'ok', isAnswered }
  const run = found.run ?? (isHeld ? undefined : commandOf(object, wrong))
  return {
    state,
    ...(why.length > 0 && { why: why.join('; ') }),
    ...nextOf(found.next, unknown, error),
    ...(error !== undefined && { error }),
    ...(run !== undefined && { run }),
  }
}

type WorkOutlook = Pick<Outlook, 'state' | 'why' | 'next' | 'run'>

interface WrongObject {
  readonly state: NodeState
  readonly error: NodeError | undefined
  readonly unknown: string | undefined
  /** True if only its health has failed. */
  readonly isAtRest: boolean
  readonly isAnswered: boolean
}

/** Requests of gardenlet that must stay until they are answered. */
export const requestsToKeep: ReadonlySet<string> = new Set(['restore', 'migrate', 'wait-for-state'])

/** False if `trellis retry` and `reconcile` would only say why they do nothing. */
const answersReconcile = (
  kind: KindName,
  { requested, pause, lastOperation }: Facts,
  shoot: ShootOfObject | undefined,
  now: Timestamp,
): boolean =>
  requested === undefined &&
  !isInForce(pause, now) &&
  !(shoot?.isFailed && kindRules[kind].stopsForFailedShoot) &&
  !(lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded')

/** Returns the command for an object that fails, or has an unknown operation. */
const commandOf = (
  object: KubernetesObject,
  { state, unknown, error, isAtRest, isAnswered }: WrongObject,
): string | undefined => {
  const isDeleting = object.metadata.deletionTimestamp !== undefined
  if (unknown !== undefined && state !== 'working' && !isDeleting && isAnswered)
    return `trellis reconcile ${inShell(pathOf(object))}`
  if (state !== 'failed' || error === undefined) return undefined
  if (error.codes.length === 0 && isMissingPermission(error.text)) return doctor
  if (!isAnswered) return undefined
  return `trellis ${isAtRest ? 'reconcile' : 'retry'} ${inShell(pathOf(object))}`
}

const doctor = 'trellis doctor'

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

interface DecidedObject {
  readonly decision: Decision
  readonly hold: ReturnType<typeof holdOf>
  readonly object: KubernetesObject
  readonly facts: Facts
  readonly now: Timestamp
  readonly served: boolean | 'unknown'
  readonly shoot: ShootOfObject | undefined
  /** The end of the last pause, or 0. */
  readonly resumed: Timestamp
  readonly isAnswered: boolean
}

const ofDecision = (known: DecidedObject): WorkOutlook => {
  const { decision, hold, object, facts, now, shoot } = known
  switch (decision.kind) {
    case 'nothing':
      return withoutWork(known)
    case 'hold':
      return held(decision.why, decision.work, shoot)
    case 'send':
      return due(known, decision)
    case 'wait':
      if (decision.why === 'claimed')
        return {
          state: 'working',
          why: `a step is running, until ${clockText(decision.at, now)} at the latest`,
          next: {
            what: 'the end of the step; if it is lost, it is repeated',
            at: decision.at,
            event: decision.id,
          },
        }
      if (decision.why === 'paused' && facts.pause !== undefined)
        return {
          state: 'waiting',
          why: `${pauseAndThen(facts.pause, now)}${requestText(facts, now)}`,
          next: { what: nextText(decision.work), at: decision.at, event: decision.id },
          run: resumeOf(object, now),
        }
      // The bridge would hold it when it is due.
      if (hold !== undefined) return held(hold, decision.work, shoot)
      return {
        ...waitOf(object, facts, now),
        next: { what: nextText(decision.work), at: decision.at, event: decision.id },
      }
  }
}

const requestText = ({ requested, timestamp }: Facts, now: Timestamp): string => {
  if (requested === undefined) return ''
  const at = parseTimestamp(timestamp)
  return `. The request to ${requested}${at === undefined ? '' : ` of ${clockText(at, now)}`} is kept`
}

/** `paused until 12:00:00Z by anna: NAT gateway`. */
export const pauseText = ({ until, note }: Pause, now: Timestamp): string =>
  `paused until ${clockText(until, now)}${note === '' ? '' : ` by ${note}`}`

/** The same, and what follows. */
export const pauseAndThen = (pause: Pause, now: Timestamp): string =>
  `${pauseText(pause, now)}; then it goes on by itself`

const holdTexts = {
  'shoot failed':
    'the shoot has failed: its objects are held until its user or an operator retries the shoot (gardener.cloud/operation=retry on the Shoot)',
  'no cluster': 'the Cluster of the shoot is missing: its objects are held until gardenlet writes it',
} as const

const held = (
  why: keyof typeof holdTexts,
  work: PieceOfWork,
  shoot: ShootOfObject | undefined,
): WorkOutlook => ({
  state: 'waiting',
  why: holdTexts[why],
  next: { what: nextText(work) },
  ...(shoot?.retry && { run: shoot.retry }),
})

/** A pause of the object itself, or else of its shoot. */
export const resumeOf = (object: KubernetesObject, now: Timestamp): string =>
  `trellis resume ${inShell(isInForce(pauseOf(object.metadata), now) ? pathOf(object) : (object.metadata.namespace ?? ''))}`

/** `retry 3 of reconcile`, `continue`. */
const nextText = ({ operation, attempt, reason }: PieceOfWork): string =>
  attempt > 0 && reason !== 'expired' ? `retry ${attempt} of ${operation}` : operation

const due = (
  { object, facts, now, served, resumed }: DecidedObject,
  { work, id }: Extract<Decision, { kind: 'send' }>,
): WorkOutlook => {
  const since =
    (work.timed ? parseTimestamp(facts.step?.until) : undefined) ??
    neededSince(object, facts, work, now) ??
    now
  const age = Math.max(0, now - Math.max(since, resumed))
  const text = `a step is due since ${durationText(age)}: no function has claimed it`
  if (served === 'unknown' && age >= startMs)
    return {
      state: age < patienceMs ? 'waiting' : 'unknown',
      why: `${text}. It is not known if Trellis serves the type ${facts.provider}; trellis doctor shows it`,
      next: { what: `${nextText(work)}, if Trellis serves it`, at: now, event: id },
      run: doctor,
    }
  return {
    state: age < startMs ? 'working' : age < patienceMs ? 'waiting' : 'failed',
    why: `${text}${age < patienceMs ? '' : '. It is stuck: run trellis doctor'}`,
    next: { what: nextText(work), at: now, event: id },
    ...(age >= patienceMs && { run: doctor }),
  }
}

/** Returns the outlook of an object of another extension, as far as its status tells it. */
const outlookOfOther = (kind: KindName, object: KubernetesObject, facts: Facts): Outlook => {
  const error = objectErrorOf(object, facts) ?? unhealthyOf(object)
  const { observedGeneration } = recordOf(object.status)
  const isChanged = typeof observedGeneration === 'number' && observedGeneration < facts.generation
  const { state } = facts.lastOperation ?? {}
  const isAtWork =
    state !== 'Succeeded' || facts.requested !== undefined || facts.deletionTimestamp !== undefined
  const why = `Trellis does not serve ${pluralTitle(kind)} of the type ${facts.provider} here: another extension has to`
  if (error !== undefined) {
    const fix = error.codes.length > 0 ? error.fix : 'the operator looks at the log of that extension'
    return { state: 'failed', why, error: { ...error, ...(fix !== undefined && { fix }) } }
  }
  return isAtWork || isChanged
    ? { state: 'waiting', why, next: { what: 'the work of that extension' } }
    : { state: 'ok' }
}

/** Says why the next step of an object is due later. */
const waitOf = (
  { status }: KubernetesObject,
  { step, lastOperation }: Facts,
  now: Timestamp,
): WorkOutlook => {
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

/** Returns the outlook of an object without work of Trellis, which may still wait for another program. */
const withoutWork = ({ object, facts, now, isAnswered }: DecidedObject): WorkOutlook => {
  if (facts.requested === 'wait-for-state')
    return {
      state: 'waiting',
      why: 'it waits for its state from the other seed, which gardenlet writes',
      next: { what: 'restore, when gardenlet requests it' },
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
  if (typeof observedGeneration === 'number' && observedGeneration < facts.generation)
    return {
      state: 'waiting',
      why: 'its spec has changed, but no reconciliation is requested (gardener.cloud/operation=reconcile)',
      next: { what: 'reconcile, when gardenlet requests it' },
      ...(isAnswered && { run: `trellis reconcile ${inShell(pathOf(object))}` }),
    }
  const own = pauseOf(object.metadata)
  return isInForce(own, now)
    ? {
        state: 'waiting',
        why: pauseAndThen(own, now),
        next: { what: 'the end of the pause', at: own.until },
        run: resumeOf(object, now),
      }
    : { state: 'ok' }
}
