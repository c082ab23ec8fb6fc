import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { type Clock, formatSeconds, parseTimestamp, type Timestamp } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { parseDuration } from '../../shared/contract/duration.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import { longestPauseMs, type Pause } from '../../shared/contract/pause.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { kindRules } from '../../shared/lifecycle/lifecycle.ts'
import { cutText } from '../../shared/text/cut-text.ts'
import { printable } from '../../shared/text/printable.ts'
import { pathOf } from '../observe/observe.ts'
import { type ActionName, actionLine, type DecidedAction, decideAction, stateText } from './decide-action.ts'
import { type ActionTarget, readTarget } from './target.ts'
import { type ActionKubernetes, userOf, writeAction } from './write-action.ts'

export interface ActionOptions {
  readonly action: ActionName
  /** A shoot, or `KIND/NAMESPACE/NAME`. */
  readonly target: string
  readonly kinds?: readonly string[]
  /** Only of `pause`: a duration or a time, `24h` or `2026-12-01T10:00:00Z`. */
  readonly until?: string
  readonly reason?: string
}

export interface ActionSurroundings {
  readonly kubernetes: ActionKubernetes
  readonly clock: Pick<Clock, 'now'>
  /** The name of the user in the kubeconfig. */
  readonly user: string | undefined
  readonly print: (text: string) => void
  /** Returns true if the user agrees. It is not called if nothing is to be written. */
  readonly confirm: (question: string) => Promise<boolean>
  readonly signal: () => AbortSignal
  /** Waits between two writes. Default: not. */
  readonly pace?: () => Promise<void>
}

const day = 86_400_000
/** In characters. */
const longestReason = 200

/** Returns the reason in one line, as an annotation and an Event have it. */
export const reasonOf = ({ reason = '' }: Pick<ActionOptions, 'reason'>): string =>
  printable(cutText(reason.replace(/\s+/g, ' ').trim(), longestReason))

/** Returns the next moment with a time of the day in UTC: `06:00Z`. */
const nextTime = (text: string, now: Timestamp): Timestamp | undefined => {
  if (!/^\d{2}:\d{2}Z$/.test(text)) return undefined
  const today = parseTimestamp(`${formatSeconds(now).slice(0, 11)}${text.slice(0, 5)}:00Z`)
  return today === undefined || today > now ? today : today + day
}

/** Returns the end of a pause. Throws a `UsageError` for another text, the past, and after 14 days. */
export const endOfPause = (text: string, now: Timestamp): Timestamp => {
  const days = /^(\d{1,3})d$/.exec(text)?.[1]
  const lasts = days === undefined ? parseDuration(text) : Number(days) * day
  const until = lasts === undefined ? (parseTimestamp(text) ?? nextTime(text, now)) : now + lasts
  if (until === undefined)
    throw new UsageError(
      `--until ${printable(text)}: expected a duration such as 90m, 24h or 3d, or a time such as 06:00Z or ${formatSeconds(now + day)}`,
    )
  if (until <= now) throw new UsageError(`--until ${printable(text)}: this is in the past`)
  if (until - now > longestPauseMs)
    throw new UsageError(
      `--until ${printable(text)}: a pause lasts at most 14 days, so until ${formatSeconds(now + longestPauseMs)}`,
    )
  return until
}

const reasons = {
  retry: 'RetryRequested',
  reconcile: 'ReconcileRequested',
  pause: 'PauseRequested',
  resume: 'ResumeRequested',
} as const

/**
 * Shows what will happen, asks, and writes. Returns the exit code: 0 if all was written or nothing had to be; 1 if
 * something could not be written; 2 if the user did not agree or something could not be read. Throws a `UsageError`
 * for wrong input.
 */
export const runAction = async (
  options: ActionOptions,
  surroundings: ActionSurroundings,
): Promise<number> => {
  const { action, target: given, kinds, until = '24h' } = options
  const reason = reasonOf(options)
  const { kubernetes, clock, print, signal } = surroundings
  const end = action === 'pause' ? endOfPause(until, clock.now()) : undefined
  const target = await readTarget(given, { kubernetes, clock, signal: signal(), ...(kinds && { kinds }) })
  const user = printable(await userOf(kubernetes, surroundings.user, signal()))
  const note = `${user} since ${formatSeconds(clock.now())}${reason === '' ? '' : `: ${reason}`}`
  const pause = end === undefined ? undefined : { until: end, note }
  const decided = decideTarget(action, target, pause)
  const again = (object: KubernetesObject) => decideAction(action, object, target.view, pause)

  for (const one of decided) print(`${printable(actionLine(one))}\n`)
  for (const one of target.view.missing) print(`? not read: ${printable(one)}\n`)
  const isUnread = target.view.missing.length > 0
  const writes = decided.flatMap(one => (one.annotations === undefined ? [] : [{ ...one, again }]))
  if (action === 'pause' && writes.length > 0)
    print(
      'Not paused: the machine controller and the autoscaler, which continue to change machines; gardenlet, which reports a timeout if it waits for too long.\n',
    )
  const failures = await writeAll(writes, { action, user, reason }, surroundings)
  return failures === undefined ? 2 : failures > 0 ? 1 : isUnread ? 2 : 0
}

/** An action to write, and how to decide it again on a changed object. */
export interface ActionToWrite extends DecidedAction {
  readonly again: (object: KubernetesObject) => DecidedAction
}

/** Asks, and writes. Returns the number of failures. Undefined: the user has not agreed. */
export const writeAll = async (
  writes: readonly ActionToWrite[],
  { action, user, reason }: { readonly action: ActionName; readonly user: string; readonly reason: string },
  { kubernetes, clock, print, confirm, signal, pace }: ActionSurroundings,
): Promise<number | undefined> => {
  if (writes.length === 0) {
    print(`Nothing to ${action}.\n`)
    return 0
  }
  if (!(await confirm(`Write ${writes.length === 1 ? 'this' : `these ${writes.length}`}, as ${user}?`))) {
    print('Nothing was written.\n')
    return undefined
  }
  let failures = 0
  for (const one of writes) {
    if (one !== writes[0]) await pace?.()
    const { failed, warning } = await writeAction(one, {
      ...{ kubernetes, clock, signal: signal() },
      decideAgain: one.again,
      event: {
        reason: reasons[action],
        message: `${user} has run trellis ${action}${reason === '' ? '' : ` (${reason})`}: ${one.text}`,
      },
    })
    const name = one.object.kind === 'Cluster' ? `Shoot ${one.object.metadata.name}` : pathOf(one.object)
    if (failed !== undefined) failures++
    const result = failed === undefined ? `✓ ${name}` : `✗ ${name}: ${failed}`
    print(`${printable(`${result}${warning === undefined ? '' : `; ${warning}`}`)}\n`)
  }
  return failures
}

/**
 * A pause of a shoot is on its Cluster, so that it also pauses objects that gardenlet creates later. Functions of backup
 * kinds read no Cluster: their objects have the annotation themselves. A resume also ends pauses of single objects.
 */
const decideTarget = (
  action: ActionName,
  target: ActionTarget,
  pause: Pause | undefined,
): readonly DecidedAction[] => {
  const { shoot, cluster, objects, view } = target
  const decide = (object: KubernetesObject) => decideAction(action, object, target.view, pause)
  if (shoot === undefined || action === 'retry' || action === 'reconcile') return objects.map(decide)
  if (cluster === undefined && action === 'pause')
    throw new UsageError(
      `the shoot ${printable(shoot)} has no Cluster that you may read, which has the pause. Pause its objects, such as Infrastructure/${printable(shoot)}/NAME`,
    )
  const isWritten = ({ kind, metadata }: KubernetesObject) =>
    action === 'pause'
      ? kindRules[kind as KindName].cluster === 'never'
      : metadata.annotations?.[annotations.pause] !== undefined
  return [
    ...(cluster === undefined ? [] : [cluster]).map(decide),
    ...objects.flatMap(object => {
      if (isWritten(object)) return decide(object)
      const text = stateText(object, view)
      return text === undefined ? [] : { object, text }
    }),
  ]
}
