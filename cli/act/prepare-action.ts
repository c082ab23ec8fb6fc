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

export interface ActionCluster {
  readonly kubernetes: ActionKubernetes
  readonly clock: Pick<Clock, 'now'>
  /** The name of the user in the kubeconfig. */
  readonly user: string | undefined
  readonly signal: () => AbortSignal
}

/** An action before anything is written. */
export interface PreparedAction {
  /** The user as the API server knows it. */
  readonly user: string
  /** Each object with what will happen to it, for readers. */
  readonly lines: readonly string[]
  /** The number of objects that are written. */
  readonly writes: number
  /** True if something could not be read. */
  readonly isUnread: boolean
  /** Writes to exactly the objects in `lines`, and an Event for each. Returns the number of failures. */
  readonly write: (written: (line: string) => void) => Promise<number>
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

/** An action to write, and how to decide it again on a changed object. */
export interface ActionToWrite extends DecidedAction {
  readonly again: (object: KubernetesObject) => DecidedAction
}

interface WrittenBy {
  readonly action: ActionName
  readonly user: string
  readonly reason: string
  /** Waits between two writes. Default: not. */
  readonly pace?: () => Promise<void>
}

/** Writes to each object, and an Event for each. Returns the number of failures. */
export const writeAll = async (
  writes: readonly ActionToWrite[],
  { action, user, reason, pace }: WrittenBy,
  { kubernetes, clock, signal }: ActionCluster,
  written: (line: string) => void,
): Promise<number> => {
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
    written(printable(`${result}${warning === undefined ? '' : `; ${warning}`}`))
  }
  return failures
}

/** Reads the target and decides what to write. Throws a `UsageError` for wrong input. */
export const prepareAction = async (
  options: ActionOptions,
  cluster: ActionCluster,
): Promise<PreparedAction> => {
  const { kubernetes, clock, signal } = cluster
  const { action, target: given, kinds, until = '24h' } = options
  const reason = reasonOf(options)
  const end = action === 'pause' ? endOfPause(until, clock.now()) : undefined
  const target = await readTarget(given, { kubernetes, clock, signal: signal(), ...(kinds && { kinds }) })
  const user = printable(await userOf(kubernetes, cluster.user, signal()))
  const note = `${user} since ${formatSeconds(clock.now())}${reason === '' ? '' : `: ${reason}`}`
  const pause = end === undefined ? undefined : { until: end, note }
  const decided = decideTarget(action, target, pause)
  const again = (object: KubernetesObject) => decideAction(action, object, target.view, pause)
  const writes = decided.flatMap(one => (one.annotations === undefined ? [] : [{ ...one, again }]))
  return {
    user,
    lines: [
      ...decided.map(one => printable(actionLine(one))),
      ...target.view.missing.map(one => `? not read: ${printable(one)}`),
      ...(action === 'pause' && writes.length > 0 ? [notPaused] : []),
    ],
    writes: writes.length,
    isUnread: target.view.missing.length > 0,
    write: written => writeAll(writes, { action, user, reason }, cluster, written),
  }
}

const notPaused =
  'Not paused: the machine controller and the autoscaler, which continue to change machines; gardenlet, which reports a timeout if it waits for too long.'

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
