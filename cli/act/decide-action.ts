import { formatSeconds, type Timestamp } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { isInForce, type Pause, pauseOf } from '../../shared/contract/pause.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf, kindRules, unknownOperationOf, withShootPause } from '../../shared/lifecycle/lifecycle.ts'
import { cutText } from '../../shared/text/cut-text.ts'
import {
  clockText,
  durationText,
  isClaimed,
  outlookOf,
  pathOf,
  pauseText,
  requestsToKeep,
  retryText,
  type SeedView,
  shootFactsOf,
  shootOfObject,
} from '../observe/observe.ts'

export type ActionName = 'retry' | 'reconcile' | 'pause' | 'resume'

/** The writes of an action to one object. */
export interface DecidedAction {
  readonly object: KubernetesObject
  /** For readers: the effect, or the reason why nothing is written. */
  readonly text: string
  /** The values to write; null removes one. Undefined: nothing is written. */
  readonly annotations?: Readonly<Record<string, string | null>>
  /** The pause that a pause or its end replaces, as the user saw it. */
  readonly replaces?: string | undefined
}

/** Decides what an action does to an object or a Cluster, from these two alone. */
export const decideAction = (
  action: ActionName,
  object: KubernetesObject,
  view: SeedView,
  pause: Pause | undefined,
): DecidedAction =>
  action === 'retry' || action === 'reconcile'
    ? decideRequest(action, object, view)
    : decidePause(object, view.at, pause)

/** @param pause undefined: it is removed */
const decidePause = (object: KubernetesObject, now: Timestamp, pause: Pause | undefined): DecidedAction => {
  const { metadata } = object
  const before = pauseOf(metadata)
  const replaces = metadata.annotations?.[annotations.pause]
  const was = isInForce(before, now) ? ` (now ${pauseText(before, now)})` : ''
  if (pause !== undefined) {
    const end = formatSeconds(pause.until)
    const deleting = metadata.deletionTimestamp === undefined ? '' : ', not even of its deletion'
    const other = isOfOther(object) ? `. ${ofOther}` : ''
    const text = `no step starts until ${end}${deleting}; a running one ends, and none follows${was}${other}`
    return { object, text, replaces, annotations: { [annotations.pause]: `${end} ${pause.note}` } }
  }
  return replaces === undefined
    ? { object, text: 'it is not paused' }
    : { object, text: `due work starts at once${was}`, replaces, annotations: { [annotations.pause]: null } }
}

const ofOther = 'Trellis has not worked on it: another extension knows no pause'

/** True if something has reconciled the object, and no step of Trellis. */
const isOfOther = (object: KubernetesObject): boolean =>
  object.kind !== 'Cluster' && recordOf(object.status).lastOperation != null && !isClaimed(object)

/** Returns the state of an object that is not fine, for readers. */
export const stateText = (object: KubernetesObject, view: SeedView): string | undefined => {
  if (view.isServed?.(object) === false) return 'another extension serves it, which knows no pause'
  if (isOfOther(object)) return ofOther
  const kind = object.kind as KindName
  const { state, why, error } = outlookOf(kind, object, shootOfObject(view, object), view.at)
  const writes = state === 'working' && isClaimed(object) ? ': it may write until then' : ''
  return state === 'ok' ? undefined : `${why ?? error?.text ?? state}${writes}`
}

const decideRequest = (
  action: 'retry' | 'reconcile',
  object: KubernetesObject,
  view: SeedView,
): DecidedAction => {
  const kind = object.kind as KindName
  const { at: now, isServed } = view
  const shoot = shootOfObject(view, object)
  const facts = withShootPause(kind, factsOf(object), shoot?.pause, now)
  const nothing = (text: string): DecidedAction => ({ object, text })
  const { requested, lastOperation, step, deletionTimestamp } = facts
  if (requested !== undefined && requestsToKeep.has(requested))
    return nothing(`gardenlet has requested ${requested}, which must stay until it is done`)
  if (shoot?.isFailed && kindRules[kind].stopsForFailedShoot)
    return nothing(`its shoot has failed, which holds it. Retry the shoot${retryOf(object, view)}`)
  if (isInForce(facts.pause, now))
    return nothing(`${pauseText(facts.pause, now)}: trellis resume ends the pause`)
  if (requested === 'reconcile') return nothing('a reconciliation is requested already')
  const { state, next, error } = outlookOf(kind, object, shoot, now, isServed?.(object) ?? true)
  if (step?.phase === 'claimed' && state === 'working')
    return nothing(
      `a step is running${next?.at === undefined ? '' : `, until ${clockText(next.at, now)} at the latest`}`,
    )
  if (lastOperation?.type === 'Migrate' && lastOperation.state === 'Succeeded')
    return nothing('it was migrated to another seed')

  const isDeleting = deletionTimestamp !== undefined
  if (action === 'reconcile' && isDeleting)
    return nothing('its deletion continues by itself; trellis retry repeats a failed one')
  const hasFailed =
    recordOf(object.status).lastError != null || ['Error', 'Failed'].includes(lastOperation?.state ?? '')
  if (action === 'retry' && !hasFailed && !(step?.phase === 'waiting' && step.attempt > 0))
    return nothing('it has not failed')
  const unknown = unknownOperationOf(object)
  const wait = step?.phase === 'waiting' && next?.at !== undefined ? next.at - now : 0
  const parts = [
    ...(unknown === undefined ? [] : [`replaces ${annotations.operation}=${unknown}`]),
    ...(wait > 0 && error !== undefined
      ? [
          `ends the wait of ${durationText(wait)} after the error ${JSON.stringify(firstLine(error.text))} (it would retry by itself at ${clockText(now + wait, now)})`,
        ]
      : []),
    `${isServed?.(object) === false ? 'another extension ' : ''}${isDeleting ? 'deletes' : 'reconciles'} at once`,
  ]
  return { object, text: parts.join(', '), annotations: { [annotations.operation]: 'reconcile' } }
}

const retryOf = ({ metadata: { namespace = '' } }: KubernetesObject, { objects }: SeedView): string =>
  retryText(
    shootFactsOf(
      namespace,
      objects.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === namespace),
    ),
  )

const longestError = 120

const firstLine = (text: string): string => cutText(text.split('\n', 1)[0] ?? '', longestError)

/** Returns one line: the object and what will happen to it. */
export const actionLine = ({ object, text, annotations: written }: DecidedAction): string =>
  `${written === undefined ? '-' : '✎'} ${object.kind === 'Cluster' ? `Shoot ${object.metadata.name}` : pathOf(object)}: ${text}`
